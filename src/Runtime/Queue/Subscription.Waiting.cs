using System.Diagnostics;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    // Spins, then sleeps until something was enqueued or given back, or a moment is over. The caller looks again.
    private void WaitForMessage(CancellationToken ct)
    {
        ct.ThrowIfCancellationRequested();
        if (SpinForMessage())
        {
            return;
        }
        using CancellationTokenRegistration wakeOnCancel = ct.UnsafeRegister(
            static state => ((QueueStore)state!).WakeDataSleepers(), _store);
        using CallGate.Call call = _store.Gate.Enter();
        int ticket = _store.Control.Data.Announce<MachineMemory>();
        if (!IsMessageThere() && !ct.IsCancellationRequested)
        {
            _cursor.CompareWithTail();
            _store.Control.Data.Sleep<MachineMemory>(ticket, WakeWord.LongestSleep);
        }
        ct.ThrowIfCancellationRequested();
    }

    private bool SpinForMessage()
    {
        long started = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(started) < _spinDuration)
        {
            // The clock costs as much as several looks, and the gate must be left now and then for whoever disposes.
            using CallGate.Call call = _store.Gate.Enter();
            for (int look = 0; look < LooksPerRound; look++)
            {
                if (IsMessageThere())
                {
                    return true;
                }
                Thread.SpinWait(1);
            }
        }
        return false;
    }

    private bool IsMessageThere() =>
        _leases.HasReturned || (_alone is null ? _cursor.TryFind(out _) : !_leases.IsDelayed && _cursor.TryFind(out _));
}
