using Keys = BlitQueue.Hosting.OptionKeys<BlitQueue.RabbitMq.ForwarderOptions>;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>The keys of a forwarder. Its subscription is the name of the section.</summary>
internal static class ForwarderKeys
{
    /// <summary>The table.</summary>
    public static readonly Keys All = new(
        (nameof(ForwarderOptions.Exchange), static (options, text) => options.Exchange = text),
        (nameof(ForwarderOptions.RoutingKeyHeader), static (options, text) => options.RoutingKeyHeader = text),
        (nameof(ForwarderOptions.RoutingKey), static (options, text) => options.RoutingKey = text),
        (nameof(ForwarderOptions.DeclareExchange), static (options, text) => options.DeclareExchange = Keys.Flag(text)),
        (nameof(ForwarderOptions.ExchangeType), static (options, text) => options.ExchangeType = text),
        (nameof(ForwarderOptions.Window), static (options, text) => options.Window = Keys.Count(text)),
        (nameof(ForwarderOptions.DurableOnly), static (options, text) => options.DurableOnly = Keys.Flag(text)),
        (nameof(ForwarderOptions.MaxMessageSize), static (options, text) => options.MaxMessageSize = Keys.Number(text)),
        (nameof(ForwarderOptions.OnUnroutable), static (options, text) => options.OnUnroutable = Keys.Choice<UnroutableMode>(text)),
        (nameof(ForwarderOptions.ExpireAtBroker), static (options, text) => options.ExpireAtBroker = Keys.Flag(text)),
        (nameof(ForwarderOptions.SendSchema), static (options, text) => options.SendSchema = Keys.Flag(text)),
        (nameof(ForwarderOptions.StatePath), static (options, text) => options.StatePath = text));
}
