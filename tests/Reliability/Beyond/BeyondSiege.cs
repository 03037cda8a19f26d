using System.Diagnostics;
using System.Globalization;
using BlitQueue.RabbitMq;
using BlitQueue.RabbitMq.Tests;
using BlitQueue.Reliability.Disk;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Beyond;

/// <summary>
/// The long form: three nodes, and everything goes wrong at the same time. The restarts of nodes set the pace: a share of the messages and
/// of the other harm belongs to each.
/// </summary>
internal sealed class BeyondSiege(CampaignRun run, long part)
{
    private const int Nodes = 3, Messages = 100_000, MostAtOnce = 40, MostStarts = 3;

    // Of the restarts: when the disk at B fills up, and when a node goes for good.
    private const double FullAt = 0.3, GoneAt = 0.65;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5), FullPatience = TimeSpan.FromMinutes(2);

    private static readonly string[] Ends = [BeyondSite.Forward, BeyondSite.Receive];

    private readonly string _name = $"beyond-{part}-{Guid.NewGuid():N}";
    private readonly List<BrokerServer> _nodes = [];
    private readonly Dictionary<string, BeyondLink[]> _links = [];
    private readonly long _restarts = run.Target(run.Campaign.Aims[0]);
    private long _restarted;
    private volatile bool _isOver;
    private BeyondEnds? _ends;

    public async Task TryAsync()
    {
        string root = ScratchDirectory.Make($"beyond-{part}");
        try
        {
            await BeginNodesAsync();
            using var disk = SmallDisk.OfMemory(root, "size=512m");
            await BesiegeAsync(root, disk);
        }
        finally
        {
            foreach (BeyondLink link in _links.Values.SelectMany(static links => links))
            {
                link.Dispose();
            }
            // The first one's name server is the last to go.
            _nodes.Reverse();
            _nodes.ForEach(static node => node.End());
        }
        Directory.Delete(root, recursive: true);
    }

    private async Task BeginNodesAsync()
    {
        for (int i = 0; i < Nodes; i++)
        {
            var node = new BrokerServer(_nodes.FirstOrDefault());
            _nodes.Add(node);
            await node.BeginAsync();
        }
        foreach (string end in Ends)
        {
            _links[end] = [.. _nodes.Select(static node => new BeyondLink(node.Port))];
        }
        await BeyondQueue.DeclareAsync(_nodes[0], _name, Nodes);
        run.Note("three nodes of the broker are up, and the quorum queue has a member on each");
    }

    private async Task BesiegeAsync(string root, SmallDisk disk)
    {
        string storePath = Path.Combine(disk.MountPoint, "b");
        using var ends = new BeyondEnds(run, part, root, storePath, _name)
        {
            HostsOf = end => string.Join(',', _links[end].Select(static link => link.Host)),
        };
        _ends = ends;
        ends.Begin();
        using (new Timer(_ => NoteProgress(), null, TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(1)))
        {
            Task[] harm =
            [
                Task.Run(() => SendAsync(run.RandomOf(part))), Task.Run(() => KillEndsAsync(run.RandomOf(part + 1000))),
                Task.Run(() => HarmLinksAsync(run.RandomOf(part + 2000))), Task.Run(() => FillDiskAsync(disk)),
            ];
            await KillNodesAsync(run.RandomOf(part + 3000));
            _isOver = true;
            await Task.WhenAll(harm);
            run.Note("no more harm: what is on its way arrives");
            await ends.UntilArrivedAsync(CountAsync, Patience);
        }
        NoteProgress();
        bool isSame = ends.Compare();
        run.Note(isSame ? $"B has the {ends.Sent:N0} messages, once, in order" : "B DOES NOT HAVE what was sent");
    }

    // The nodes that are left.
    private async Task KillNodesAsync(Random random)
    {
        for (; _restarted < _restarts && !run.TimeIsUp; _restarted++)
        {
            if (_nodes.Count == Nodes && _restarted >= GoneAt * _restarts)
            {
                await LoseNodeAsync(random);
            }
            await Task.Delay(random.Next(100, 1_500));
            BrokerServer node = _nodes[random.Next(_nodes.Count)];
            node.Kill();
            await Task.Delay(random.Next(300));
            await StartAsync(node);
            run.Count(BeyondCampaign.Brokers);
        }
    }

    private async Task StartAsync(BrokerServer node)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                await node.StartAsync();
                return;
            }
            catch (Exception exception) when (attempt < MostStarts)
            {
                run.Note($"a node did not start, and is started again: {exception.GetType().Name}: {exception.Message}");
                run.Count("nodes that did not start at once");
                node.Kill();
            }
        }
    }

    // Never the first one, whose name server the others use.
    private async Task LoseNodeAsync(Random random)
    {
        BrokerServer lost = _nodes[random.Next(1, Nodes)];
        lost.Kill();
        _nodes.Remove(lost);
        lost.End();
        run.Count(BeyondCampaign.Gone);
        run.Note("one of the three nodes is gone for good, its disk with it");
        await Task.Delay(random.Next(1_000));
    }

    private async Task SendAsync(Random random)
    {
        BeyondEnds ends = _ends!;
        while (ends.Sent < Messages)
        {
            long share = _isOver ? Messages : Math.Min(Messages, Messages * (_restarted + 1) / _restarts);
            if (ends.Sent < share)
            {
                ends.Send((int)Math.Min(random.Next(1, MostAtOnce), share - ends.Sent), random);
            }
            await Task.Delay(random.Next(60));
        }
    }

    private async Task KillEndsAsync(Random random)
    {
        Dictionary<string, long> killed = Ends.ToDictionary(static end => end, static _ => 0L);
        while (!_isOver || killed.Values.Any(count => count < _restarted))
        {
            string[] due = [.. Ends.Where(end => killed[end] <= _restarted && killed[end] < _restarts)];
            await Task.Delay(random.Next(50, 1_000));
            if (due.Length == 0)
            {
                continue;
            }
            string end = due[random.Next(due.Length)];
            _ends!.Kill(end);
            await Task.Delay(random.Next(100));
            _ends.Start(end);
            killed[end]++;
            run.Count(end == BeyondSite.Forward ? BeyondCampaign.Forwarders : BeyondCampaign.Receivers);
        }
    }

    private async Task HarmLinksAsync(Random random)
    {
        while (!_isOver)
        {
            await Task.Delay(random.Next(500, 4_000));
            BeyondLink[] links = _links[Ends[random.Next(Ends.Length)]];
            if (random.Next(2) == 0)
            {
                Array.ForEach(links, static link => link.Cut());
                await Task.Delay(random.Next(100, 5_000));
                bool severs = random.Next(2) == 0;
                Array.ForEach(links, link => link.Restore(severs));
                run.Count(BeyondCampaign.Cuts);
            }
            else
            {
                int delay = random.Next(10, 200);
                Array.ForEach(links, link => link.Delay = delay);
                await Task.Delay(random.Next(1_000, 5_000));
                Array.ForEach(links, static link => link.Delay = 0);
                run.Count(BeyondCampaign.Delays);
            }
        }
    }

    private async Task FillDiskAsync(SmallDisk disk)
    {
        while (_restarted < FullAt * _restarts)
        {
            if (_isOver)
            {
                return;
            }
            await Task.Delay(100);
        }
        _ends!.TakeProblem(BeyondSite.Receive, BridgeProblem.LocalQueueFull);
        disk.TakeRoom(long.MaxValue);
        run.Note("the disk at B is full");
        for (var watch = Stopwatch.StartNew(); !_ends.TakeProblem(BeyondSite.Receive, BridgeProblem.LocalQueueFull); await Task.Delay(50))
        {
            // What a killed receiver gave back is taken again.
            disk.TakeRoom(long.MaxValue);
            if (watch.Elapsed > FullPatience || _isOver)
            {
                run.Violate($"--part {part}: the receiver has not noticed that its disk is full");
                disk.GiveRoomBack();
                return;
            }
        }
        await Task.Delay(TimeSpan.FromSeconds(10));
        disk.GiveRoomBack();
        run.Note("the disk at B has room again; the receiver had said LocalQueueFull");
        run.Count(BeyondCampaign.Full);
    }

    private async Task<uint> CountAsync()
    {
        try
        {
            return await BeyondQueue.CountAsync(_nodes[0], _name);
        }
        catch (Exception) when (_nodes.Count > 0)
        {
            // Its leader is being elected: asked again.
            return uint.MaxValue;
        }
    }

    private void NoteProgress()
    {
        if (_ends is not { } ends)
        {
            return;
        }
        string counts = string.Join(", ", run.Counters.Where(static one => BeyondCampaign.IsHarm(one.Key)).Select(
            static one => string.Create(CultureInfo.InvariantCulture, $"{one.Value:N0} {one.Key}")));
        try
        {
            run.Note(string.Create(
                CultureInfo.InvariantCulture, $"{ends.Sent:N0} sent, {ends.LeftAtA:N0} wait at A, {ends.CameToB:N0} at B; {counts}"));
        }
        catch (QueueException exception)
        {
            run.Note($"{ends.Sent:N0} sent; a queue cannot be looked at just now ({exception.Reason}); {counts}");
        }
    }
}
