namespace BlitQueue.Tests.Queue;

/// <summary>A message whose packing runs code of its own, which may use queues, this one's too.</summary>
[QueueMessage]
internal sealed partial class Relay
{
    public long Id { get; set; }

    /// <summary>Runs while the message is packed.</summary>
    [PackIgnore]
    public Action? WhilePacking { get; set; }

    /// <summary>Runs while a message is unpacked.</summary>
    public static Action? WhileUnpacking { get; set; }

    [OnPacking]
    private void Packing() => WhilePacking?.Invoke();

    [OnUnpacking]
    private static void Unpacking() => WhileUnpacking?.Invoke();
}
