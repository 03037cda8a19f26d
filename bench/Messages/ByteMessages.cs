namespace BlitQueue.Bench.Messages;

/// <summary>Any size: one byte array.</summary>
[QueueMessage]
internal sealed partial class ByteMessage : IBenchMessage<ByteMessage>
{
    public byte[]? Payload;

    public static ByteMessage Create(int size, int variant = 0)
    {
        var message = new ByteMessage { Payload = new byte[size] };
        Pattern.Fill(message.Payload);
        return message;
    }

    public void Stamp(long number) => Pattern.Stamp(Payload, number);

    public long Check() => Pattern.Check(Payload);
}
