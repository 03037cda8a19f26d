using System.Runtime.CompilerServices;
using BlitQueue.Segments;

namespace BlitQueue;

internal sealed partial class Producer<T>
{
    // Messages that only have to be packed in place: whoever asks for more goes another way, so that these pay nothing for the question.
    private readonly bool _isPlain;

    private readonly Lock _timerSync = new();
    private FlushTimer? _timer;

    /// <summary>Brings to the disk at once what would be brought there soon: afterwards nobody would.</summary>
    public void Dispose() => _timer?.FlushNow();

    // A message that is not plain, that did not fit where the tail is, or for which the turn was not free.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool EnqueueOtherwise(in T message, in WaitLimit limit) =>
        !_isPlain ? EnqueueAt(Options.Durability, in message, in limit)
        : (T.FixedLength > 0 && TryEnqueueInPlace(in message, in limit)) || EnqueueStaged(in message, in limit);

    /// <summary>Enqueues and waits for what the level promises.</summary>
    /// <returns>false, with nothing enqueued, when there is no room or no turn for a caller that does not wait.</returns>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool EnqueueAt(Durability durability, in T message, in WaitLimit limit, MessageProperties? properties = null)
    {
        bool enqueued = TryEnqueueAtTail(in message, in limit, properties) || EnqueueStaged(in message, in limit, properties);
        if (enqueued)
        {
            Secure(durability);
        }
        return enqueued;
    }

    // The message is enqueued: what the level promises beyond that.
    private void Secure(Durability durability)
    {
        switch (durability)
        {
            case Durability.Interval:
                (_timer ?? MakeTimer()).NoteAppend();
                break;
            case Durability.Commit:
                _store.Sync.Wait();
                break;
        }
    }

    private async ValueTask AwaitAndSecure(Durability durability, ValueTask enqueued)
    {
        await enqueued.ConfigureAwait(false);
        if (durability == Durability.Commit)
        {
            await _store.Sync.WaitAsync().ConfigureAwait(false);
        }
        else
        {
            Secure(durability);
        }
    }

    private FlushTimer MakeTimer()
    {
        lock (_timerSync)
        {
            if (_timer is null)
            {
                _timer = new FlushTimer(_store.Sync, Options.FlushInterval);
                _store.Releasing += _timer.Dispose;
            }
            return _timer;
        }
    }
}
