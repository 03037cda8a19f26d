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

/// <summary>1024 bytes: one fixed member, a struct that is copied as it lies.</summary>
[QueueMessage]
internal sealed partial class Fixed1024 : IBenchMessage<Fixed1024>
{
    public Words128 Words;

    public static Fixed1024 Create(int size, int variant = 0)
    {
        var message = new Fixed1024();
        Pattern.Fill(message.Words.Bytes);
        return message;
    }

    public void Stamp(long number) => Pattern.Stamp(Words.Bytes, number);

    public long Check() => Pattern.Check(Words.Bytes);
}
