using System.Buffers;
using BlitQueue.Cli.Codecs;
using BlitQueue.Cli.Queues;
using BlitQueue.RabbitMq;

namespace BlitQueue.Cli.Bridging;

/// <summary>Packed bodies, which are looked at before they come into the queue: a message that no consumer could read is refused.</summary>
internal sealed class PackedBody(StoredSchema schema) : BodyFormat<PackedMessage>
{
    private readonly MessageCodec _codec = new(schema);
    private readonly JsonOutput _decoded = new();

    public override string ContentType => "application/x-blitqueue";

    public override void Write(IBufferWriter<byte> body, PackedMessage message) => body.Write(message.Bytes);

    public override PackedMessage? Read(ReadOnlySpan<byte> body)
    {
        _decoded.Clear();
        _codec.Decode(body, _decoded);
        return new PackedMessage { Bytes = body };
    }
}
