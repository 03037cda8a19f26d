namespace BlitQueue.Tests.Queue;

/// <summary>A message that can be packed, and never unpacked.</summary>
[QueueMessage]
internal sealed partial class Refuser
{
    public long Id { get; set; }

    [OnUnpacked]
    private static void Refuse() => throw new InvalidOperationException("It refuses.");
}
