using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class QueueCursor<T>
{
    private Func<bool, bool>? _look;

    /// <summary>Reads the next message, sleeping in the kernel until there is one.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueException">As for <see cref="TryRead(ref T)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The cursor or the queue was disposed, possibly during the wait.</exception>
    public void Read(ref T? message, CancellationToken ct = default)
    {
        while (!TryRead(ref message))
        {
            WaitForMessage(ct);
        }
    }

    /// <summary>Reads the next message, waiting without a thread until there is one.</summary>
    /// <param name="reuse">An instance to fill, or null to get a new one.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; completed already when there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueException">As for <see cref="TryRead(ref T)"/>.</exception>
    /// <exception cref="ObjectDisposedException">The cursor or the queue was disposed, possibly during the wait.</exception>
    public async ValueTask<T> ReadAsync(T? reuse = default, CancellationToken ct = default)
    {
        ct.ThrowIfCancellationRequested();
        while (!TryRead(ref reuse))
        {
            await _store.DataWaits.WaitAsync(_look ??= Look, ct).ConfigureAwait(false);
        }
        return reuse!;
    }

    private void WaitForMessage(CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        using CancellationTokenRegistration wakeOnCancel = ct.UnsafeRegister(
            static state => ((QueueStore)state!).WakeDataSleepers(), _store);
        using CallGate.Call call = _store.Gate.Enter();
        int ticket = _store.Control.Data.Announce<MachineMemory>();
        if (!IsMessageThere() && !ct.IsCancellationRequested)
        {
            _store.Control.Data.Sleep<MachineMemory>(ticket, WakeWord.LongestSleep);
        }
        ct.ThrowIfCancellationRequested();
    }

    private bool Look(bool thorough)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return IsMessageThere() || (thorough && _store.Transactions.IsAbandoned());
    }

    // Also when reading would throw: the reader's own call does so.
    private bool IsMessageThere() => _disposed.IsSet || _walk.IsThere();
}
