using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BlitQueue.Hosting;

/// <summary>
/// Opens all queues before any hosted service starts, so that one that cannot be opened fails the start, and watches them for a disk that
/// has refused a sync: it may take long until a call of this process meets that.
/// </summary>
internal sealed class QueueStartup(IServiceProvider services, IEnumerable<QueueRegistration> queues, ILoggerFactory loggers)
    : IHostedLifecycleService, IDisposable
{
    private static readonly TimeSpan WatchInterval = TimeSpan.FromSeconds(10);

    private readonly CancellationTokenSource _stopping = new();
    private readonly ILogger _logger = loggers.CreateLogger(QueueOpening.Category);
    private Task _watching = Task.CompletedTask;

    public async Task StartingAsync(CancellationToken cancellationToken)
    {
        // Opening may read a whole queue, or wait for a process.
        await Task.Run(
            () =>
            {
                foreach (QueueRegistration queue in queues)
                {
                    cancellationToken.ThrowIfCancellationRequested();
                    queue.Open(services);
                }
            },
            cancellationToken).ConfigureAwait(false);
        _watching = WatchAsync();
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public async Task StoppedAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync().ConfigureAwait(false);
        await _watching.ConfigureAwait(false);
    }

    private async Task WatchAsync()
    {
        HashSet<QueueRegistration> watched = [.. queues];
        using var timer = new PeriodicTimer(WatchInterval);
        try
        {
            while (watched.Count > 0 && await timer.WaitForNextTickAsync(_stopping.Token).ConfigureAwait(false))
            {
                watched.RemoveWhere(HasFailed);
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    private bool HasFailed(QueueRegistration queue)
    {
        try
        {
            if (!queue.GetStatus(services).IsFailed)
            {
                return false;
            }
            _logger.SyncFailed(
                queue.Name,
                "the disk has refused to write its data. Messages that are there can be consumed. Once no process has it open any more, "
                + "the next opening repairs it.");
            return true;
        }
        catch (Exception exception) when (exception is ObjectDisposedException or QueueException or IOException)
        {
            return false;
        }
    }

    public void Dispose()
    {
        _stopping.Cancel();
        _stopping.Dispose();
    }
}
