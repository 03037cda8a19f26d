using System.Net;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>
/// What a forwarder leaves that is to become a dead letter, while later messages have arrived and nobody knows it: the next one makes it a
/// letter, and never takes it for sent.
/// </summary>
public sealed class UnsentTests(Broker broker) : BridgeFixture(broker)
{
    /// <summary>The next forwarder takes some at a time, and commits the first before it has taken the one that is to be one.</summary>
    [MountTheory]
    [InlineData(16, 110)]
    [InlineData(1024, 110)]
    [InlineData(1024, 900)]
    public async Task A_message_behind_many_others_is_not_forgotten(int window, int bad)
    {
        int all = bad + 11;
        using var line = new Line(IPAddress.Loopback, Broker.Port);
        using var disk = new SmallDisk(FileOf("disk"), "24m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], new QueueOptions { SegmentSize = 4 << 20 });
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        ForwarderOptions options = ForwarderOptions;
        (options.MaxMessageSize, options.Broker.Hosts) = (1_000, [line.Host]);
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            Send(outbox, 0, 10);
            await UntilAsync(() => forwarder.GetState().Messages == 10);
            disk.Fill();
            line.IsMute = true;
            Send(outbox, 10, bad - 10);
            Send(outbox, bad, 1, filling: 2_000);
            Send(outbox, bad + 1, 10);
            await UntilAsync(() => receiver.GetState().Messages == all - 1);
        });
        disk.Free();
        Assert.Single(UnsentOf(outbox));
        (options.MaxMessageSize, options.Broker.Hosts, options.Window) = (ForwarderOptions.MaxMessageSize, [Broker.Host], window);
        await WhileForwardingAsync(outbox, options, static forwarder =>
            UntilAsync(forwarder, static state => state is { Lag: 0, SetAside: 1, Problem: BridgeProblem.None }));
        Assert.Equal(Without(bad, all), await TakeAsync(all - 1));
        Assert.Equal([bad], Letters(outbox));
        // What comes next is noted without it.
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            Send(outbox, all, 1);
            await UntilAsync(forwarder, static state => state is { Lag: 0, Messages: 1 });
        });
        Assert.Empty(UnsentOf(outbox));
    }

    /// <summary>As after the two oldest epochs became one: the queue knows the name no more that the message had.</summary>
    [BrokerFact]
    public async Task A_message_of_an_epoch_that_has_another_name_now_is_not_forgotten()
    {
        Send(0, 5);
        List<long> positions = [];
        using (Subscription<Parcel> look = Outbox.Subscribe("default"))
        {
            List<Lease<Parcel>> leases = [];
            while (look.TryReceive(out Lease<Parcel> lease))
            {
                positions.Add(lease.Position.Value);
                leases.Add(lease);
            }
            leases.ForEach(static lease => lease.TryAbandonUncounted());
        }
        using (SourceFile source = SourceOf(Outbox))
        {
            source.Note(new ForwardNote(new ForwardPoint(0, positions[2]), [new ForwardPoint(777, positions[1])]), isSynced: true);
        }
        await DeclareAsync();
        Forwarder<Parcel> forwarder = Run(ForwarderOptions);
        await UntilAsync(forwarder, static state => state is { Lag: 0, Messages: 2, SetAside: 1 });
        Assert.Equal([1L], Letters(Outbox));
    }

    private static SourceFile SourceOf(MappedQueue<Parcel> outbox) =>
        SourceFile.Open($"{outbox.Path}.default.forward", outbox.Id, "default", isNamed: true);

    private static IReadOnlyList<ForwardPoint> UnsentOf(MappedQueue<Parcel> outbox)
    {
        using SourceFile source = SourceOf(outbox);
        return source.Noted.Unsent;
    }
}
