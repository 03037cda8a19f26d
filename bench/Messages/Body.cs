namespace BlitQueue.Bench.Messages;

/// <summary>A text of one letter, as long as one likes: the bodies of the MSMQ paper.</summary>
[QueueMessage]
internal sealed partial class Body : IBenchMessage<Body>
{
    public long Number { get; set; }

    public string? Text { get; set; }

    /// <summary>So many characters.</summary>
    public static Body Create(int size, int variant = 0) => new() { Text = new string((char)('a' + variant), size) };

    public void Stamp(long number) => Number = number;

    public long Check()
    {
        if (Text is null || (Text.Length > 0 && Text[0] != Text[^1]))
        {
            Pattern.ThrowDamaged(Number);
        }
        return Number;
    }
}
