using BlitQueue;

namespace Quickstart;

/// <summary>The queue of this sample, as both processes open it.</summary>
internal static class Lines
{
    /// <summary>
    /// Joins the queue, or makes it: whichever process comes first. With a capacity a producer that is faster waits for the consumer,
    /// instead of filling the disk.
    /// </summary>
    public static MappedQueue<TextLine> Open(Workspace workspace) =>
        MappedQueue<TextLine>.Open(workspace.Queue, new QueueOptions { SegmentSize = 16 << 20, Capacity = 64 << 20 });
}
