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

/// <summary>Three bytes: the message of Interprocess' benchmark.</summary>
[QueueMessage]
internal sealed partial class Tiny : IBenchMessage<Tiny>
{
    private const int Size = 3;

    public byte[]? Bytes { get; set; }

    public static Tiny Create(int size, int variant = 0) => new() { Bytes = new byte[Size] };

    /// <summary>As much of the number as three bytes hold.</summary>
    public void Stamp(long number)
    {
        byte[] bytes = Bytes!;
        bytes[0] = (byte)number;
        bytes[1] = (byte)(number >> 8);
        bytes[2] = (byte)(number >> 16);
    }

    public long Check() => Bytes is { Length: Size } bytes ? bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) : throw new InvalidDataException();
}
