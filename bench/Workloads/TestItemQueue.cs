using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Seeds;

/// <summary>MappedFileQueues' benchmark: messages with a number in each member and in a new text, written, or read into one instance.</summary>
internal sealed class TestItemQueue : ICountedWork
{
    private readonly MappedQueue<TestItem> _queue;
    private readonly TestItem _item = new();
    private readonly int _count;
    private readonly bool _reads;

    public TestItemQueue(string place, int count, bool reads)
    {
        _queue = MappedQueue<TestItem>.Open(place, new QueueOptions { SegmentSize = 512 << 20 });
        _count = count;
        _reads = reads;
        if (reads)
        {
            Write();
        }
    }

    public void Run()
    {
        if (_reads)
        {
            Read();
        }
        else
        {
            Write();
        }
    }

    public void Dispose() => _queue.Dispose();

    private void Write()
    {
        for (int number = 0; number < _count; number++)
        {
            _item.Fill(number);
            _queue.Enqueue(in _item);
        }
    }

    private void Read()
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
