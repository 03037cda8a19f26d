namespace BlitQueue.Tests.Processes;

/// <summary>Another message.</summary>
[QueueMessage]
public sealed partial class SharedBlockText
{
    public string Text { get; set; } = "";
}
