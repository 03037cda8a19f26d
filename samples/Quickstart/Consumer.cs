using System.Text;
using BlitQueue;
using Microsoft.Win32.SafeHandles;

namespace Quickstart;

/// <summary>The process that writes lines to where they stood. Doing so twice changes nothing, so a line may come again.</summary>
internal sealed class Consumer(string root)
{
    private SafeFileHandle? _file;   // the file written last stays open
    private string? _name;
    private long _length, _bytes, _messages, _again;

    public static void Run(Workspace workspace, KillPoint killPoint)
    {
        using MappedQueue<TextLine> queue = workspace.OpenLines();
        using Subscription<TextLine> lines = queue.Subscribe("default");
        var consumer = new Consumer(workspace.Rebuilt);
        TextLine? line = null;
        do
        {
            using Lease<TextLine> lease = lines.Receive();
            lease.ReadInto(ref line);   // into the same object each time
            consumer.Write(line!);
            killPoint.Pass(consumer._bytes);
            lease.Commit();             // killed before this line, the message goes to the next consumer
        }
        while (line!.File is not null);
        Console.WriteLine($"  the consumer took {consumer._messages:N0} messages, {consumer._again:N0} of them again after a kill");
    }

    private void Write(TextLine line)
    {
        _messages++;
        if (line.File != _name)
        {
            Open(line.File);
        }
        if (line.Raw is not null || line.Text is not null)
        {
            byte[] bytes = line.Raw ?? Encoding.UTF8.GetBytes(line.Text!);
            RandomAccess.Write(_file!, bytes, line.Start);
            _again += line.Start < _length ? 1 : 0;
            _length = Math.Max(_length, line.Start + bytes.Length);
            _bytes += bytes.Length;
        }
        else if (line.File is not null)
        {
            RandomAccess.SetLength(_file!, line.Start);
        }
    }

    private void Open(string? name)
    {
        _file?.Dispose();
        _name = name;
        if (name is not null)
        {
            string path = Path.Combine(root, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            _file = File.OpenHandle(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite);
            _length = RandomAccess.GetLength(_file);
        }
    }
}
