using Keys = BlitQueue.Hosting.OptionKeys<BlitQueue.Hosting.BlitQueueOptions>;

namespace BlitQueue.Hosting;

/// <summary>The keys of a queue. A clock cannot be written as text: <see cref="BlitQueueOptions.TimeProvider"/> has none.</summary>
internal static class QueueKeys
{
    /// <summary>The table.</summary>
    public static readonly Keys All = new(
        (nameof(BlitQueueOptions.Path), static (options, text) => options.Path = text),
        (nameof(BlitQueueOptions.SegmentSize), static (options, text) => options.SegmentSize = Keys.Number(text)),
        (nameof(BlitQueueOptions.UseChecksums), static (options, text) => options.UseChecksums = Keys.Flag(text)),
        (nameof(BlitQueueOptions.FileMode), static (options, text) => options.FileMode = Keys.Rights(text)),
        (nameof(BlitQueueOptions.CreateDefaultSubscription), static (options, text) => options.CreateDefaultSubscription = Keys.Flag(text)),
        (nameof(BlitQueueOptions.Capacity), static (options, text) => options.Capacity = Keys.Number(text)),
        (nameof(BlitQueueOptions.RetainBytes), static (options, text) => options.RetainBytes = Keys.Number(text)),
        (nameof(BlitQueueOptions.RetainFor), static (options, text) => options.RetainFor = Keys.Time(text)),
        (nameof(BlitQueueOptions.FullMode), static (options, text) => options.FullMode = Keys.Choice<FullMode>(text)),
        (nameof(BlitQueueOptions.SoftLimit), static (options, text) => options.SoftLimit = Keys.Number(text)),
        (nameof(BlitQueueOptions.MaxMessageSize), static (options, text) => options.MaxMessageSize = Keys.Number(text)),
        (nameof(BlitQueueOptions.Durability), static (options, text) => options.Durability = Keys.Choice<Durability>(text)),
        (nameof(BlitQueueOptions.FlushInterval), static (options, text) => options.FlushInterval = Keys.Time(text)),
        (nameof(BlitQueueOptions.StallTimeout), static (options, text) => options.StallTimeout = Keys.Time(text)),
        (nameof(BlitQueueOptions.SpinDuration), static (options, text) => options.SpinDuration = Keys.Time(text)),
        (nameof(BlitQueueOptions.Stamps), static (options, text) => options.Stamps = Keys.Choice<MessageStamps>(text)));
}
