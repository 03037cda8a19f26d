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
