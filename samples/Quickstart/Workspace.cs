using BlitQueue;

namespace Quickstart;

/// <summary>The folder that the three processes share. Whichever comes to a queue first makes it.</summary>
internal sealed record Workspace(string Folder)
{
    public string Rebuilt => PathOf("rebuilt");

    public MappedQueue<SourceFile> OpenFilesToSend() => MappedQueue<SourceFile>.Open(PathOf("to-send"), Options);
    public MappedQueue<SourceFile> OpenSentFiles() => MappedQueue<SourceFile>.Open(PathOf("sent"), Options);

    // With a capacity a producer that is faster waits for the consumer, instead of filling the disk.
    public MappedQueue<TextLine> OpenLines() => MappedQueue<TextLine>.Open(PathOf("lines"), Options with { Capacity = 64 << 20 });

    private static QueueOptions Options => new() { SegmentSize = 16 << 20 };
    private string PathOf(string name) => Path.Combine(Folder, name);
}
