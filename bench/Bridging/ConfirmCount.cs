using System.Diagnostics.Metrics;

namespace BlitQueue.Bench.Bridging;

/// <summary>
/// Ends when so many messages were confirmed and consumed, as the forwarder's meter counts them. Its state, if it were asked all the time,
/// would cost as much as the messages.
/// </summary>
internal sealed class ConfirmCount : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _count;

    public ConfirmCount(long count)
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name == "blitqueue.forwarder.confirmed")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((_, more, _, _) =>
        {
            if (Interlocked.Add(ref _count, more) >= count)
            {
                _all.TrySetResult();
            }
        });
        _listener.Start();
    }

    public Task All => _all.Task;

    public void Dispose() => _listener.Dispose();
}
