using System.Diagnostics;
using System.Diagnostics.Metrics;
using BlitQueue.Hosting.Peer;

namespace BlitQueue.Hosting.Tests;

/// <summary>Listeners that throw at each span and measurement: what they are told of has happened all the same.</summary>
[Collection(nameof(Alone))]
public sealed class ThrowingListenerTests : PeerFixture
{
    private int _thrown;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Nothing_is_lost_and_no_call_fails(bool atStart)
    {
        using ActivityListener spans = Listen(atStart);
        using MeterListener times = Measure();
        using var store = MappedStore.Open(QueuePath);
        await using MappedQueue<Job> queue = store.OpenQueue<Job>("jobs");
        using Activity caller = new Activity("caller").Start();

        queue.Enqueue(new Job { Id = 0 });
        Assert.True(queue.TryEnqueue(new Job { Id = 1 }));
        queue.EnqueueBatch((ReadOnlySpan<Job>)[new Job { Id = 2 }, new Job { Id = 3 }]);
        await queue.EnqueueAsync(new Job { Id = 4 });
        using (QueueTransaction transaction = store.Begin())
        {
            transaction.Enqueue(queue, new Job { Id = 5 });
            transaction.Commit();
        }
        Assert.Same(caller, Activity.Current);

        using Subscription<Job> subscription = queue.Subscribe("default");
        Job? job = null;
        Assert.True(subscription.TryDequeue(ref job));
        Assert.Equal(0, job.Id);
        Assert.True(subscription.TryReceive(out Lease<Job> lease));
        Assert.Equal(1, lease.Read().Id);
        lease.Commit();
        var leases = new Lease<Job>[2];
        Assert.Equal(2, subscription.TryReceive(leases));
        Array.ForEach(leases, static one => one.Commit());
        using (QueueTransaction transaction = store.Begin())
        {
            Assert.True(transaction.TryReceive(subscription, ref job));
            Assert.Equal(4, job.Id);
            transaction.Commit();
        }
        Assert.Same(caller, Activity.Current);

        using var end = new CancellationTokenSource();
        int handled = -1;
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => subscription.ProcessAsync(
            (one, _) =>
            {
                handled = one.Id;
                end.Cancel();
                return ValueTask.CompletedTask;
            },
            cancellationToken: end.Token));
        Assert.Equal((5, 0L), (handled, queue.GetStatus().MessageCount));
        Assert.InRange(Volatile.Read(ref _thrown), 10, int.MaxValue);
    }

    private ActivityListener Listen(bool atStart)
    {
        var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "BlitQueue",
            Sample = static (ref _) => ActivitySamplingResult.AllData,
        };
        if (atStart)
        {
            listener.ActivityStarted = _ => Throw();
        }
        else
        {
            listener.ActivityStopped = _ => Throw();
        }
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    private MeterListener Measure()
    {
        var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, self) =>
            {
                if (instrument.Meter.Name == "BlitQueue")
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<double>((_, _, _, _) => Throw());
        listener.Start();
        return listener;
    }

    private void Throw()
    {
        Interlocked.Increment(ref _thrown);
        throw new ArgumentException("the exporter");
    }
}
