using System.Buffers;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace BlitQueue.RabbitMq;

/// <summary>Bodies in JSON, by the contract that System.Text.Json has for the message type.</summary>
/// <typeparam name="T">The local queue's message type.</typeparam>
/// <example>
/// <code>
/// var forwarder = new Forwarder&lt;Order&gt;(orders, options, new JsonBody&lt;Order&gt;(ShopJson.Default.Order));
///
/// [JsonSerializable(typeof(Order))]
/// partial class ShopJson : JsonSerializerContext;
/// </code>
/// </example>
public sealed class JsonBody<T> : BodyFormat<T>
    where T : IPackable<T>
{
    private readonly JsonTypeInfo<T> _contract;
    private readonly JsonWriterOptions _options;

    /// <summary>Makes the format.</summary>
    /// <param name="contract">From a <c>JsonSerializerContext</c>, so that nothing is looked up at run time.</param>
    public JsonBody(JsonTypeInfo<T> contract)
    {
        ArgumentNullException.ThrowIfNull(contract);
        _contract = contract;
        _options = new JsonWriterOptions
        {
            Encoder = contract.Options.Encoder,
            Indented = contract.Options.WriteIndented,
            SkipValidation = true,
        };
    }

    /// <summary><c>application/json</c>.</summary>
    public override string ContentType => "application/json";

    /// <inheritdoc/>
    public override void Write(IBufferWriter<byte> body, T message)
    {
        using var json = new Utf8JsonWriter(body, _options);
        JsonSerializer.Serialize(json, message, _contract);
    }

    /// <inheritdoc/>
    public override T? Read(ReadOnlySpan<byte> body) => JsonSerializer.Deserialize(body, _contract);
}
