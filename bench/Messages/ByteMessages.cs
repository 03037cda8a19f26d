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

    public static void Stamp(ByteMessage message, long number) => Pattern.Stamp(message.Payload, number);

    public static long Check(ByteMessage message) => Pattern.Check(message.Payload);
}

/// <summary>Three bytes: the message of Interprocess' benchmark.</summary>
[QueueMessage]
internal sealed partial class Tiny : IBenchMessage<Tiny>
{
    private const int Size = 3;

    public byte[]? Bytes { get; set; }

    public static Tiny Create(int size, int variant = 0) => new() { Bytes = new byte[Size] };

    /// <summary>As much of the number as three bytes hold.</summary>
    public static void Stamp(Tiny message, long number)
    {
        byte[] bytes = message.Bytes!;
        bytes[0] = (byte)number;
        bytes[1] = (byte)(number >> 8);
        bytes[2] = (byte)(number >> 16);
    }

    public static long Check(Tiny message) =>
        message.Bytes is { Length: Size } bytes ? bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) : throw new InvalidDataException();
}

/// <summary>A request or a reply of any length.</summary>
[QueueMessage]
public sealed partial class RpcLetter
{
    /// <summary>Its bytes.</summary>
    public byte[] Body { get; set; } = [];
}
