namespace BlitQueue.Bench.Messages;

/// <summary>8 bytes: one fixed member.</summary>
internal sealed class Fixed8 : IBenchMessage<Fixed8>
{
    public long Number;

    public static MessageSchema Schema { get; } = new(nameof(Fixed8), [new("Number", "i64")]);

    public static Fixed8 Create(int size) => new();

    public void Stamp(long number) => Number = number;

    public long Check() => Number;

    public static void Pack(ref PackWriter writer, scoped in Fixed8? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }
        FixedBlockWriter block = writer.BeginMessage(8, 0);
        block.Write(0, value.Number);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Fixed8? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }
        value ??= new Fixed8();
        value.Number = block.Read<long>(0);
        reader.EndMessage(in block, 0);
    }
}
