namespace BlitQueue.Bench.Messages;

/// <summary>Any size: one byte array.</summary>
internal sealed class ByteMessage : IBenchMessage<ByteMessage>
{
    public byte[]? Payload;

    public static MessageSchema Schema { get; } = new(nameof(ByteMessage), [new("Payload", "list<u8>")]);

    public static ByteMessage Create(int size)
    {
        var message = new ByteMessage { Payload = new byte[size] };
        Pattern.Fill(message.Payload);
        return message;
    }

    public void Stamp(long number) => Pattern.Stamp(Payload, number);

    public long Check() => Pattern.Check(Payload);

    public static void Pack(ref PackWriter writer, scoped in ByteMessage? value)
    {
        if (value is null)
        {
            writer.WriteNull();
            return;
        }
        writer.BeginMessage(0, 1);
        writer.WriteSpan<byte>(value.Payload);
        writer.EndMessage();
    }

    public static void Unpack(ref PackReader reader, scoped ref ByteMessage? value)
    {
        if (!reader.BeginMessage(out FixedBlockReader block))
        {
            value = null;
            return;
        }
        value ??= new ByteMessage();
        value.Payload = reader.ReadArray(value.Payload);
        reader.EndMessage(in block, 1);
    }
}
