using System.Text;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Scenarios;
using BlitQueue.Bench.Transports;

namespace BlitQueue.Bench.Workloads;

/// <summary>
/// MappedFileQueues' benchmark: messages with a number in each member and in a new text, written, or read into one instance.
/// </summary>
internal sealed class TestItemWork : ICountedWork
{
    private readonly ITestItems _items;
    private readonly bool _reads;

    /// <summary>Writes what is to be read.</summary>
    public TestItemWork(ITestItems items, bool reads)
    {
        _items = items;
        _reads = reads;
        if (reads)
        {
            items.Write();
        }
    }

    public void Run()
    {
        if (_reads)
        {
            _items.Read();
        }
        else
        {
            _items.Write();
        }
    }

    public void Dispose() => _items.Dispose();
}

/// <summary>A number of test items, each in its turn.</summary>
internal interface ITestItems : IDisposable
{
    void Write();

    void Read();
}

/// <summary>Through a queue.</summary>
internal sealed class TestItemQueue : ITestItems
{
    private readonly MappedQueue<TestItem> _queue;
    private readonly TestItem _item = new();
    private readonly int _count;

    public TestItemQueue(string path, int count, QueueOptions? options)
    {
        _queue = MappedQueue<TestItem>.Open(path, options);
        _count = count;
    }

    public void Dispose() => _queue.Dispose();

    public void Write()
    {
        for (int number = 0; number < _count; number++)
        {
            _item.Fill(number);
            _queue.Enqueue(in _item);
        }
    }

    public void Read()
    {
        TestItem? item = _item;
        for (int number = 0; number < _count; number++)
        {
            if (!_queue.TryDequeue(ref item))
            {
                throw new InvalidDataException($"Message {number} is not there.");
            }
            item!.Expect(number);
        }
    }
}

/// <summary>
/// The same bytes as those of <see cref="TestItemQueue"/>, message by message, into a fresh mapped file
/// or out of it, and the same texts made.
/// </summary>
internal sealed unsafe class TestItemCopy : ITestItems
{
    private readonly SharedBytes _file;
    private readonly byte[] _message;
    private readonly byte[] _received;
    private readonly int _count;
    private readonly int _longestText;

    public TestItemCopy(string path, int count)
    {
        var item = new TestItem();
        item.Fill(count);
        _message = Packer.Pack(in item);
        _received = new byte[_message.Length];
        _longestText = item.StringValue!.Length;
        _file = new SharedBytes(Path.Combine(path, "copied"), (long)count * _message.Length);
        _count = count;
    }

    public void Dispose() => _file.Dispose();

    public void Write()
    {
        byte* at = _file.Start;
        for (int number = 0; number < _count; number++)
        {
            int length = LengthWith(TestItem.TextOf(number).Length);
            _message.AsSpan(0, length).CopyTo(new Span<byte>(at, length));
            at += length;
        }
    }

    public void Read()
    {
        byte* at = _file.Start;
        int digits = 1, more = 10, prefix = _longestText - DigitsOf(_count);
        for (int number = 0; number < _count; number++)
        {
            if (number == more)
            {
                digits++;
                more *= 10;
            }
            int text = prefix + digits, length = LengthWith(text);
            new ReadOnlySpan<byte>(at, length).CopyTo(_received);
            string made = Encoding.ASCII.GetString(_received, length - text, text);
            if (made.Length != text)
            {
                throw new InvalidDataException($"The text of message {number} is not whole.");
            }
            at += length;
        }
    }

    // The text is what a message ends with.
    private int LengthWith(int text) => _message.Length - _longestText + text;

    private static int DigitsOf(int number) => number.ToString(System.Globalization.CultureInfo.InvariantCulture).Length;
}
