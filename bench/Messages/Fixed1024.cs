namespace BlitQueue.Bench.Messages;

/// <summary>1024 bytes: one fixed member, a struct that is copied as it lies.</summary>
internal sealed class Fixed1024 : IBenchMessage<Fixed1024>
{
    public Words128 Words;

    public static MessageSchema Schema { get; } = new(nameof(Fixed1024), [new("Words", "blit1024")]);

    public static Fixed1024 Create(int size)
    {
        var message = new Fixed1024();
        Pattern.Fill(message.Words.Bytes);
        return message;
    }

    public void Stamp(long number) => Pattern.Stamp(Words.Bytes, number);

    public long Check() => Pattern.Check(Words.Bytes);

    public static void Pack(ref PackWriter writer, scoped in Fixed1024? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }
        FixedBlockWriter block = writer.BeginMessage(1024, 0);
        block.Write(0, value.Words);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref Fixed1024? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }
        value ??= new Fixed1024();
        value.Words = block.Read<Words128>(0);
        reader.EndMessage(in block, 0);
    }
}
