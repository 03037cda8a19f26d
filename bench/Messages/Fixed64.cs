namespace BlitQueue.Bench.Messages;

/// <summary>64 bytes: eight fixed members.</summary>
internal sealed class Fixed64 : IBenchMessage<Fixed64>
{
    private static readonly long W1 = Pattern.Word(1), W2 = Pattern.Word(2), W3 = Pattern.Word(3), W4 = Pattern.Word(4),
        W5 = Pattern.Word(5), W6 = Pattern.Word(6);

    public long Number, A = W1, B = W2, C = W3, D = W4, E = W5, F = W6, Complement;

    public static MessageSchema Schema { get; } = new(nameof(Fixed64),
    [
        new("Number", "i64"), new("A", "i64"), new("B", "i64"), new("C", "i64"),
        new("D", "i64"), new("E", "i64"), new("F", "i64"), new("Complement", "i64"),
    ]);

    public static Fixed64 Create(int size) => new();

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

    public static void Pack(ref PackWriter writer, scoped in Fixed64? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }
        FixedBlockWriter block = writer.BeginMessage(64, 0);
        block.Write(0, value.Number);
        block.Write(8, value.A);
        block.Write(16, value.B);
        block.Write(24, value.C);
        block.Write(32, value.D);
        block.Write(40, value.E);
        block.Write(48, value.F);
        block.Write(56, value.Complement);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Fixed64? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }
        value ??= new Fixed64();
        value.Number = block.Read<long>(0);
        value.A = block.Read<long>(8);
        value.B = block.Read<long>(16);
        value.C = block.Read<long>(24);
        value.D = block.Read<long>(32);
        value.E = block.Read<long>(40);
        value.F = block.Read<long>(48);
        value.Complement = block.Read<long>(56);
        reader.EndMessage(in block, 0);
    }
}
