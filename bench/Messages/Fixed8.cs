namespace BlitQueue.Bench.Messages;

/// <summary>8 bytes: one fixed member.</summary>
[QueueMessage]
internal sealed partial class Fixed8 : IBenchMessage<Fixed8>
{
    public long Number;

    public static Fixed8 Create(int size, int variant = 0) => new();

    public void Stamp(long number) => Number = number;

    public long Check() => Number;
}
