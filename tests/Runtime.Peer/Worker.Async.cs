using System.Diagnostics;

namespace BlitQueue.Peer;

internal sealed partial class Worker
{
    private async Task ProduceAsync()
    {
        var parcel = new Parcel();
        for (long number = 0; number < _count && !_inputEnded.IsCancellationRequested; number++)
        {
            await _queue.EnqueueAsync(parcel.Fill(_producer, number, SizeOf(number)));
            _log.Enqueued(_producer, number);
            Rest();
        }
    }

    // Until the input ends; then takes what is still there.
    private async Task ConsumeAsync()
    {
        Subscription<Parcel> subscription = Subscribe();
        try
        {
            await foreach (Parcel parcel in subscription.ReadAllAsync(_inputEnded.Token))
            {
                _log.Dequeued(parcel);
            }
        }
        catch (OperationCanceledException)
        {
            Parcel? parcel = null;
            while (subscription.TryDequeue(ref parcel))
            {
                _log.Dequeued(parcel!);
            }
        }
    }

    // One message at a time, with pauses of up to 0.2 ms between them: some find the consumer asleep, some awake, some on its way to sleep.
    private void ProducePaced()
    {
        var parcel = new Parcel();
        var random = new Random(7);
        for (long number = 0; number < _count; number++)
        {
            _queue.Enqueue(parcel.Fill(_producer, number, 8));
            long started = Stopwatch.GetTimestamp();
            var pause = TimeSpan.FromMicroseconds(random.Next(200));
            while (Stopwatch.GetElapsedTime(started) < pause)
            {
                Thread.SpinWait(10);
            }
        }
    }
}
