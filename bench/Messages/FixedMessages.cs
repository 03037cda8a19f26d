namespace BlitQueue.Bench.Messages;

/// <summary>64 bytes: eight fixed members.</summary>
[QueueMessage]
internal sealed partial class Fixed64 : IBenchMessage<Fixed64>
{
    private static readonly long W1 = Pattern.Word(1), W2 = Pattern.Word(2), W3 = Pattern.Word(3), W4 = Pattern.Word(4),
        W5 = Pattern.Word(5), W6 = Pattern.Word(6);

    public long Number, A = W1, B = W2, C = W3, D = W4, E = W5, F = W6, Complement;

    public static Fixed64 Create(int size, int variant = 0) => new();

    public void Stamp(long number)
    {
        Number = number;
        Complement = ~number;
    }

    public long Check()
    {
        if (Complement != ~Number || A != W1 || B != W2 || C != W3 || D != W4 || E != W5 || F != W6)
        {
            Pattern.ThrowDamaged(Number);
        }
        return Number;
    }
}
