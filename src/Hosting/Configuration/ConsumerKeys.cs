using Keys = BlitQueue.Hosting.OptionKeys<BlitQueue.Hosting.BlitQueueConsumerOptions>;

namespace BlitQueue.Hosting;

/// <summary>The keys of a consumer.</summary>
internal static class ConsumerKeys
{
    /// <summary>The table.</summary>
    public static readonly Keys All = new(
        (nameof(BlitQueueConsumerOptions.Concurrency), static (options, text) => options.Concurrency = Keys.Count(text)),
        (nameof(BlitQueueConsumerOptions.BatchSize), static (options, text) => options.BatchSize = Keys.Count(text)),
        (nameof(BlitQueueConsumerOptions.RetryDelay), static (options, text) => options.RetryDelay = Keys.Time(text)),
        (nameof(BlitQueueConsumerOptions.MaxRetryDelay), static (options, text) => options.MaxRetryDelay = Keys.Time(text)),
        (nameof(BlitQueueConsumerOptions.RenewLeases), static (options, text) => options.RenewLeases = Keys.Flag(text)),
        (nameof(BlitQueueConsumerOptions.RenewInterval), static (options, text) => options.RenewInterval = Keys.Time(text)),
        (nameof(BlitQueueConsumerOptions.Start), static (options, text) => options.Start = Keys.Choice<SubscriptionStart>(text)),
        (nameof(BlitQueueConsumerOptions.MaxAttempts), static (options, text) => options.MaxAttempts = Keys.Count(text)),
        (nameof(BlitQueueConsumerOptions.VisibilityTimeout), static (options, text) => options.VisibilityTimeout = Keys.Time(text)),
        (nameof(BlitQueueConsumerOptions.Exclusive), static (options, text) => options.Exclusive = Keys.Flag(text)),
        (nameof(BlitQueueConsumerOptions.SingleConsumer), static (options, text) => options.SingleConsumer = Keys.Flag(text)),
        (nameof(BlitQueueConsumerOptions.OnExpired), static (options, text) => options.OnExpired = Keys.Choice<ExpiredMode>(text)),
        (nameof(BlitQueueConsumerOptions.DurableOnly), static (options, text) => options.DurableOnly = Keys.Flag(text)),
        (nameof(BlitQueueConsumerOptions.Ephemeral), static (options, text) => options.Ephemeral = Keys.Flag(text)),
        (nameof(BlitQueueConsumerOptions.ExpiresAfter), static (options, text) => options.ExpiresAfter = Keys.Time(text)),
        (nameof(BlitQueueConsumerOptions.FinishTime), static (options, text) => options.FinishTime = Keys.Time(text)),
        (nameof(BlitQueueConsumerOptions.SkipCorrupt), static (options, text) => options.SkipCorrupt = Keys.Flag(text)));
}
