using Keys = BlitQueue.Hosting.OptionKeys<BlitQueue.RabbitMq.ReceiverOptions>;

namespace BlitQueue.RabbitMq.Hosting;

/// <summary>The keys of a receiver.</summary>
internal static class ReceiverKeys
{
    /// <summary>The table.</summary>
    public static readonly Keys All = new(
        (nameof(ReceiverOptions.Queue), static (options, text) => options.Queue = text),
        (nameof(ReceiverOptions.DeclareQueue), static (options, text) => options.DeclareQueue = Keys.Flag(text)),
        (nameof(ReceiverOptions.QueueType), static (options, text) => options.QueueType = text),
        (nameof(ReceiverOptions.DeadLetterExchange), static (options, text) => options.DeadLetterExchange = text),
        (nameof(ReceiverOptions.Exchange), static (options, text) => options.Exchange = text),
        (nameof(ReceiverOptions.RoutingKey), static (options, text) => options.RoutingKey = text),
        (nameof(ReceiverOptions.Prefetch), static (options, text) => options.Prefetch = Keys.Count(text)),
        (nameof(ReceiverOptions.BatchSize), static (options, text) => options.BatchSize = Keys.Count(text)),
        (nameof(ReceiverOptions.GapPatience), static (options, text) => options.GapPatience = Keys.Time(text)),
        (nameof(ReceiverOptions.OnGap), static (options, text) => options.OnGap = Keys.Choice<GapMode>(text)));
}
