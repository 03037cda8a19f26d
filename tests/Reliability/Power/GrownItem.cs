namespace BlitQueue.Reliability.Power;

/// <summary>A newer version of <see cref="Item"/>: a member was appended, so that whoever opens a queue with it writes the schema anew.</summary>
[QueueMessage]
internal sealed partial class GrownItem
{
    public long Number { get; set; }

    public byte[] Body { get; set; } = [];

    public string? Remark { get; set; }
}
