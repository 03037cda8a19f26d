using System.Buffers;
using BlitQueue.Cli.Codecs;
using BlitQueue.Cli.Queues;
using BlitQueue.RabbitMq;

namespace BlitQueue.Cli.Bridging;

/// <summary>Bodies in JSON, as <c>blitq tail --json</c> prints messages and <c>blitq send</c> takes them.</summary>
internal sealed class JsonBody(StoredSchema schema) : BodyFormat<PackedMessage>
{
    private readonly MessageCodec _codec = new(schema);
    private readonly JsonOutput _json = new();
    private readonly PackedOutput _packed = new();

    public override string ContentType => "application/json";

    public override void Write(IBufferWriter<byte> body, PackedMessage message)
    {
        _json.Clear();
        _codec.Decode(message.Bytes, _json);
        body.Write(_json.Bytes);
    }

    public override PackedMessage? Read(ReadOnlySpan<byte> body)
    {
        var json = JsonInput.Whole(body);
        _codec.Encode(ref json, _packed);
        return new PackedMessage { Bytes = _packed.Bytes };
    }
}
