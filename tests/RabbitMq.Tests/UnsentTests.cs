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
        using var disk = new SmallDisk(FileOf("disk"), "24m");
        using var outbox = MappedQueue<Parcel>.Open(disk["outbox"], new QueueOptions { SegmentSize = 4 << 20 });
        await LeaveUnsentAsync(outbox, disk, bad, all);
        Assert.Single(UnsentOf(outbox));
        ForwarderOptions options = ForwarderOptions;
        options.Window = window;
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

    /// <summary>The same where the oldest epochs were given up: the oldest that is left did not begin with the queue.</summary>
    [MountTheory]
    [InlineData(1)]
    [InlineData(3)]
    public async Task A_letter_that_waits_through_thirty_starts_is_not_forgotten(int rounds)
    {
        using var disk = new SmallDisk(FileOf("disk"), "64m");
        string path = disk["outbox"];
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        int sent = 0;
        for (int round = 0; round < rounds; round++)
        {
            await ForwardAsync(path, ForwarderOptions, async (outbox, forwarder) =>
            {
                Send(outbox, sent, 300, filling: 500);
                await UntilAsync(forwarder, static state => state is { Lag: 0, Messages: 300 });
            });
            sent += 300;
        }
        int bad = sent + 10;
        ForwarderOptions options = ForwarderOptions;
        options.MaxMessageSize = 1_000;
        await ForwardAsync(path, options, async (outbox, forwarder) =>
        {
            Send(outbox, sent, 10);
            await UntilAsync(forwarder, static state => state.Messages == 10);
            disk.Fill();
            Send(outbox, bad, 1, filling: 2_000);
            Send(outbox, bad + 1, 10);
            await UntilAsync(forwarder, static state => state.Messages == 20);
        });
        disk.Free();
        sent = bad + 11;
        for (int start = 0; start < 32; start++)
        {
            await ForwardAsync(path, options, async (outbox, forwarder) =>
            {
                Send(outbox, sent + 1, 1);
                await UntilAsync(forwarder, static state => state is { Messages: >= 2, Lag: <= 1 });
            }, outbox =>
            {
                Send(outbox, sent, 1);
                disk.Fill();
            });
            sent += 2;
            disk.Free();
        }

        await ForwardAsync(path, ForwarderOptions, async (outbox, forwarder) =>
        {
            await UntilAsync(forwarder, static state => state.Lag == 0);
            Assert.Equal([bad], Letters(outbox));
        });
        Assert.Equal(Without(bad, sent), await TakeAsync(sent - 1));
    }

    // As after a start of the system: each begins an epoch.
    private async Task ForwardAsync(
        string path, ForwarderOptions options, Func<MappedQueue<Parcel>, Forwarder<Parcel>, Task> during,
        Action<MappedQueue<Parcel>>? before = null)
    {
        if (Directory.Exists(path))
        {
            PretendRestart(path);
        }
        using var outbox = MappedQueue<Parcel>.Open(path, new QueueOptions { SegmentSize = 1 << 16 });
        before?.Invoke(outbox);
        await WhileForwardingAsync(outbox, options, forwarder => during(outbox, forwarder));
    }

    private static SourceFile SourceOf(MappedQueue<Parcel> outbox) =>
        SourceFile.Open($"{outbox.Path}.default.forward", outbox.Id, "default", isNamed: true);

    private static IReadOnlyList<ForwardPoint> UnsentOf(MappedQueue<Parcel> outbox)
    {
        using SourceFile source = SourceOf(outbox);
        return source.Noted.Unsent;
    }
}
