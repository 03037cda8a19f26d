using System.Diagnostics;
using BlitQueue.RabbitMq;
using BlitQueue.RabbitMq.Tests;
using BlitQueue.Reliability.Workers;
using RabbitMQ.Client;

namespace BlitQueue.Reliability.Beyond;

/// <summary>Some messages, some kills, and a look at what has arrived.</summary>
internal sealed class BeyondRound(CampaignRun run, long part, BrokerServer broker)
{
    /// <summary>The receiver's queue in its store.</summary>
    public const string Inbox = "parcels";

    private const int MessagesPerKill = 300;

    // A broker (3.10) that is killed within seconds of a quorum queue's declaration has forgotten the queue's member when it is back, and
    // the queue never has a leader again.
    private static readonly TimeSpan QuorumTime = TimeSpan.FromSeconds(6), Patience = TimeSpan.FromMinutes(2);

    private readonly Random _random = run.RandomOf(part);
    private readonly string _root = ScratchDirectory.Make($"beyond-{part}");
    private readonly string _name = $"beyond-{part}-{Guid.NewGuid():N}";
    private readonly Dictionary<string, Process> _ends = [];
    private int _sent;

    private string OutboxPath => Path.Combine(_root, "a");

    private string StorePath => Path.Combine(_root, "b");

    private string InboxPath => Path.Combine(StorePath, Inbox);

    public async Task TryAsync()
    {
        await DeclareAsync();
        using (var outbox = MappedQueue<Parcel>.Open(OutboxPath, new QueueOptions { SegmentSize = 1 << 20 }))
        {
            using (var store = MappedStore.Open(StorePath, new QueueOptions { SegmentSize = 1 << 20 }))
            {
                store.OpenQueue<Parcel>(Inbox).Dispose();
            }
            try
            {
                await HarmAsync(outbox);
                await UntilArrivedAsync();
            }
            finally
            {
                EndBoth();
            }
        }
        if (Compare())
        {
            Directory.Delete(_root, recursive: true);
        }
    }

    private async Task HarmAsync(MappedQueue<Parcel> outbox)
    {
        Start(BeyondSite.Forward);
        Start(BeyondSite.Receive);
        string[] kills =
        [
            .. Enumerable.Repeat(BeyondCampaign.Brokers, 4), .. Enumerable.Repeat(BeyondCampaign.Forwarders, 8),
            .. Enumerable.Repeat(BeyondCampaign.Receivers, 8),
        ];
        _random.Shuffle(kills);
        foreach (string kill in kills)
        {
            Send(outbox);
            await Task.Delay(_random.Next(50, 900));
            await KillAsync(kill);
            run.Count(kill);
        }
    }

    private void Send(MappedQueue<Parcel> outbox)
    {
        for (int i = 0; i < MessagesPerKill; i++)
        {
            outbox.Enqueue(new Parcel { Producer = 1, Number = _sent++, Body = new byte[_random.Next(2_000)] });
        }
        run.Count("messages", MessagesPerKill);
    }

    private async Task KillAsync(string kill)
    {
        if (kill == BeyondCampaign.Brokers)
        {
            broker.Kill();
            await Task.Delay(_random.Next(500));
            await broker.StartAsync();
            return;
        }
        string end = kill == BeyondCampaign.Forwarders ? BeyondSite.Forward : BeyondSite.Receive;
        End(end);
        await Task.Delay(_random.Next(100));
        Start(end);
    }

    // What is confirmed is consumed at A, and what is written at B is acknowledged: then nothing more is on its way.
    private async Task UntilArrivedAsync()
    {
        for (var watch = Stopwatch.StartNew(); ; await Task.Delay(50))
        {
            long left = MappedQueue.GetStatus(OutboxPath).MessageCount, came = MappedQueue.GetStatus(InboxPath).MessageCount;
            if (left == 0 && came >= _sent && await CountAtBrokerAsync() == 0)
            {
                return;
            }
            if (watch.Elapsed > Patience)
            {
                run.Violate($"--part {part}: after {Patience} {left} of {_sent} wait at A, and {came} are at B: {_root}");
                return;
            }
        }
    }

    private bool Compare()
    {
        using var store = MappedStore.Open(StorePath);
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>(Inbox);
        Parcel? parcel = null;
        int expected = 0;
        for (; inbox.TryDequeue(ref parcel); expected++)
        {
            if (parcel!.Number != expected)
            {
                run.Violate($"--part {part}: message {parcel.Number} is at B where {expected} should be: {_root}");
                return false;
            }
        }
        if (expected != _sent)
        {
            run.Violate($"--part {part}: B has {expected} of {_sent} messages: {_root}");
        }
        using MappedQueue<RefusedMessage> refused = store.OpenQueue<RefusedMessage>($"refused-{Inbox}");
        if (refused.GetStatus().MessageCount > 0)
        {
            run.Violate($"--part {part}: B has refused {refused.GetStatus().MessageCount} messages: {_root}");
            return false;
        }
        return expected == _sent;
    }

    private async Task DeclareAsync()
    {
        await using (IConnection connection = await broker.ConnectAsync())
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            await channel.QueueDeclareAsync(
                _name, durable: true, exclusive: false, autoDelete: false,
                new Dictionary<string, object?> { ["x-queue-type"] = "quorum", ["x-single-active-consumer"] = true });
        }
        await Task.Delay(QuorumTime);
    }

    private async Task<uint> CountAtBrokerAsync()
    {
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        return await channel.MessageCountAsync(_name);
    }

    private void Start(string end) => _ends[end] = Process.Start(SelfProcess.StartInfo(
        BeyondCampaign.Site, end, end == BeyondSite.Forward ? OutboxPath : StorePath, broker.Host, _name))!;

    private void End(string end)
    {
        if (_ends.Remove(end, out Process? process))
        {
            process.Kill();
            process.WaitForExit();
            process.Dispose();
        }
    }

    private void EndBoth()
    {
        End(BeyondSite.Forward);
        End(BeyondSite.Receive);
    }
}
