namespace BlitQueue.Bench.Messages;

/// <summary>The message of MappedFileQueues' benchmark.</summary>
[QueueMessage]
internal sealed partial class TestItem
{
    public int IntValue { get; set; }

    public long LongValue { get; set; }

    public double DoubleValue { get; set; }

    public string? StringValue { get; set; }

    /// <summary>Gives the message the values of the one with this number, and a new text.</summary>
    public void Fill(int number)
    {
        IntValue = number;
        LongValue = number * 10L;
        DoubleValue = number / 2.0;
        StringValue = TextOf(number);
    }

    public static string TextOf(int number) => $"TestString_{number}";

    /// <exception cref="InvalidDataException">The message is not the one with this number.</exception>
    public void Expect(int number)
    {
        if (IntValue != number || LongValue != number * 10L || DoubleValue != number / 2.0 || StringValue?.Length < 12)
        {
            throw new InvalidDataException($"Message {IntValue} came where {number} was due.");
        }
    }
}

/// <summary>A text of one letter, as long as one likes: the bodies of the MSMQ paper.</summary>
[QueueMessage]
internal sealed partial class Body : IBenchMessage<Body>
{
    public long Number { get; set; }

    public string? Text { get; set; }

    /// <summary>So many characters.</summary>
    public static Body Create(int size, int variant = 0) => new() { Text = new string((char)('a' + variant), size) };

    public static void Stamp(Body message, long number) => message.Number = number;

    public static long Check(Body message)
    {
        if (message.Text is not { } text || (text.Length > 0 && text[0] != text[^1]))
        {
            Pattern.ThrowDamaged(message.Number);
        }
        return message.Number;
    }
}

/// <summary>The lengths of the MSMQ paper's bodies, characters.</summary>
internal static class BodySizes
{
    public static readonly int[] All = [0, 500, 1_000, 2_000, 10_000, 100_000, 1_000_000, 2_000_000];

    public static string TransportOf(int size) => $"body-{size}";
}
