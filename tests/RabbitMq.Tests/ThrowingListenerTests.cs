using System.Diagnostics;
using System.Diagnostics.Metrics;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Listeners that throw at each span and each count of both ends: what they are told of has happened all the same.</summary>
public sealed class ThrowingListenerTests(Broker broker) : BridgeFixture(broker)
{
    private int _thrown;

    [BrokerTheory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Nothing_is_lost_or_doubled_and_nothing_ends(bool atStart)
    {
        using ActivityListener spans = Listen(atStart);
        using MeterListener counts = Count();
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1000;
        Send(0, 10);
        Send(10, 1, filling: 2000);
        Send(11, 90);
        // No queue is bound: messages are returned, and given back at the end.
        await WhileForwardingAsync(Outbox, options, static forwarder => UntilAsync(forwarder, BridgeProblem.Unroutable));
        await DeclareAsync();
        Forwarder<Parcel> second = Run(options);
        Receiver<Parcel> receiver = Run(new ReceiverOptions { Broker = Broker.Options, Queue = Name });
        Assert.Equal(Enumerable.Range(0, 101).Where(static one => one != 10).Select(static one => (long)one), await TakeAsync(100));
        await UntilAsync(second, static state => state is { Lag: 0, Window: 0, Problem: BridgeProblem.None });
        await UntilEmptyAsync();
        Assert.Equal(0, Inbox.GetStatus().MessageCount);
        using Subscription<Parcel> subscription = Outbox.Subscribe("default");
        Assert.Equal(10, Assert.Single(subscription.DeadLetters).Message.Number);
        await UntilAsync(() => receiver.GetState() is { SetAside: 0, Messages: 100 });
        Assert.InRange(Volatile.Read(ref _thrown), 200, int.MaxValue);
    }

    private ActivityListener Listen(bool atStart)
    {
        var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name.StartsWith("BlitQueue", StringComparison.Ordinal),
            Sample = static (ref _) => ActivitySamplingResult.AllData,
        };
        if (atStart)
        {
            listener.ActivityStarted = activity => Throw(IsOurs(activity.OperationName));
        }
        else
        {
            listener.ActivityStopped = activity => Throw(IsOurs(activity.OperationName));
        }
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    private MeterListener Count()
    {
        var listener = new MeterListener
        {
            InstrumentPublished = static (instrument, self) =>
            {
                if (instrument.Meter.Name == "BlitQueue.RabbitMq")
                {
                    self.EnableMeasurementEvents(instrument);
                }
            },
        };
        listener.SetMeasurementEventCallback<long>((_, _, tags, _) =>
        {
            bool isOurs = false;
            foreach (KeyValuePair<string, object?> tag in tags)
            {
                isOurs |= IsOurs($"{tag.Value}");
            }
            Throw(isOurs);
        });
        listener.Start();
        return listener;
    }

    // Other tests have queues of their own.
    private bool IsOurs(string name) => name.Contains(Name, StringComparison.Ordinal)
        || name.EndsWith(Outbox.Path, StringComparison.Ordinal) || name.Contains(StorePath, StringComparison.Ordinal);

    private void Throw(bool isOurs)
    {
        if (isOurs)
        {
            Interlocked.Increment(ref _thrown);
            throw new ArgumentException("the exporter");
        }
    }
}
