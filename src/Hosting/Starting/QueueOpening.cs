using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace BlitQueue.Hosting;

/// <summary>Opens the queue of a name as its options say; the container disposes it.</summary>
internal static class QueueOpening
{
    /// <summary>The category of what is logged about queues.</summary>
    public const string Category = "BlitQueue.Hosting.Queue";

    /// <exception cref="OptionsValidationException">The configuration is not usable; the text names section and value.</exception>
    /// <exception cref="QueueException">As <see cref="MappedQueue{T}.Open"/>.</exception>
    public static MappedQueue<T> Open<T>(IServiceProvider services, string name)
        where T : IPackable<T>
    {
        BlitQueueOptions options = services.GetRequiredService<IOptionsMonitor<BlitQueueOptions>>().Get(name);
        ILogger logger = services.GetRequiredService<ILoggerFactory>().CreateLogger(Category);
        MappedQueue<T> queue = Open<T>(options, name, logger);
        logger.QueueOpened(name, queue.Path);
        if (queue.Recovered is { } report)
        {
            logger.QueueRecovered(name, report.ToString());
        }
        queue.RoomAwaited += (_, holder) => logger.QueueFull(name, holder.ToString());
        queue.Stalled += (_, stalled) => logger.QueueStalled(name, stalled.Message);
        queue.SoftLimitReached += (_, fill) => logger.SoftLimitReached(name, fill.Bytes, fill.SoftLimit);
        return queue;
    }

    private static MappedQueue<T> Open<T>(BlitQueueOptions options, string name, ILogger logger)
        where T : IPackable<T>
    {
        try
        {
            return MappedQueue<T>.Open(options.Path!, options.Queue);
        }
        catch (ArgumentException exception)
        {
            throw new OptionsValidationException(
                name, typeof(BlitQueueOptions),
                [
                    $"The queue '{name}' cannot be opened as its options say ({QueueConfiguration.SectionOf(name)}, the connection string "
                    + $"'{name}', or the callback of AddBlitQueue): {exception.Message}",
                ]);
        }
        catch (QueueStalledException exception)
        {
            logger.QueueStalled(name, exception.Message);
            throw;
        }
        catch (QueueException exception)
        {
            logger.QueueOpenFailed(name, exception.Message);
            throw;
        }
    }
}
