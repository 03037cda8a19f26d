using System.Threading.Channels;

namespace BlitQueue;

/// <summary>
/// A queue as a channel's writing end. Completing it ends this object alone: other producers go on, and readers hear nothing of it.
/// </summary>
internal sealed class QueueChannelWriter<T>(Producer<T> producer) : ChannelWriter<T>
    where T : IPackable<T>
{
    private const long NothingRefused = 1, DiskRefused = 0;

    // After the disk had no room: no signal tells when it has.
    private static readonly TimeSpan DiskPause = TimeSpan.FromMilliseconds(50);

    private static readonly Exception NoError = new ChannelClosedException();

    private readonly Lock _sync = new();
    private readonly CancellationTokenSource _ending = new();
    private volatile Exception? _ended;

    // Bytes of log to wait for: what the last refused message takes, else the least that means room.
    private long _needed = NothingRefused;

    public override bool TryWrite(T item)
    {
        if (_ended is not null)
        {
            return false;
        }
        bool written = producer.TryEnqueue(in item, out long extent);
        _needed = written ? NothingRefused : extent;
        return written;
    }

    public override ValueTask WriteAsync(T item, CancellationToken cancellationToken = default) => _ended is { } ended
        ? ValueTask.FromException(new ChannelClosedException(ended == NoError ? null : ended))
        : WithoutPosition(producer.EnqueueAsync(new ReadOnlySpan<T>(in item), cancellationToken));

    private static ValueTask WithoutPosition(ValueTask<QueuePosition> enqueued) =>
        enqueued.IsCompletedSuccessfully ? ValueTask.CompletedTask : new ValueTask(enqueued.AsTask());

    public override async ValueTask<bool> WaitToWriteAsync(CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        if (_ended is null && (_needed == DiskRefused || !producer.HasRoom(_needed)))
        {
            using var either = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, _ending.Token);
            try
            {
                await WaitForRoom(either.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException) when (_ended is not null)
            {
                // Completed during the wait.
            }
            catch (OperationCanceledException)
            {
                cancellationToken.ThrowIfCancellationRequested();
                throw;
            }
        }
        return _ended is { } ended ? ended == NoError ? false : throw ended : true;
    }

    public override bool TryComplete(Exception? error = null)
    {
        lock (_sync)
        {
            if (_ended is not null)
            {
                return false;
            }
            _ended = error ?? NoError;
        }
        _ending.Cancel();
        return true;
    }

    private async ValueTask WaitForRoom(CancellationToken cancellationToken)
    {
        long needed = _needed;
        if (needed == DiskRefused)
        {
            _needed = NothingRefused;
            await Task.Delay(DiskPause, cancellationToken).ConfigureAwait(false);
        }
        do
        {
            await producer.WaitForRoomAsync(needed, cancellationToken).ConfigureAwait(false);
        }
        while (!producer.HasRoom(needed));
    }
}
