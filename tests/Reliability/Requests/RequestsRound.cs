using System.Collections.Concurrent;
using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Reliability.Kills;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Requests;

/// <summary>One channel, two clients in this process, and servers and clients in others that come and go.</summary>
internal sealed class RequestsRound(CampaignRun run, long part, PeerPool pool)
{
    private const int Servers = 2, Callers = 6, Kills = 10, LongestPause = 60, AwaitedLate = 2;

    // What no call must reach: its own time is twice as long.
    private static readonly TimeSpan Hang = TimeSpan.FromSeconds(30);

    private readonly Random _random = run.RandomOf(part);
    private readonly ConcurrentDictionary<int, Death> _deaths = new();
    private readonly ConcurrentQueue<(Death Death, long Began, long Told)> _told = new();
    private readonly CancellationTokenSource _end = new();
    private long _calls;

    public void Try()
    {
        using var site = new Site(inMemory: true);
        var servers = new List<PeerProcess>();
        try
        {
            using (var one = RpcClient<Parcel, Parcel>.OpenFile(site.Queue, new RpcClientOptions { Timeout = 2 * Hang }))
            using (var other = RpcClient<Parcel, Parcel>.OpenFile(
                site.Queue, new RpcClientOptions { Timeout = 2 * Hang, CallsInFlight = 2, Blocks = 1, MaxAttempts = int.MaxValue }))
            {
                servers.AddRange(Enumerable.Range(0, Servers).Select(_ => Start(site)));
                Task[] callers =
                [
                    .. Enumerable.Range(0, Callers).Select(number => Task.Run(
                        () => CallAsync(number % 3 == 0 ? other : one, number, onThread: number % 2 == 0))),
                ];
                using (var caller = new Caller(this, site))
                {
                    Kill(site, servers, caller);
                }
                _end.Cancel();
                var all = Task.WhenAll(callers);
                if (Task.WaitAny([all], Hang + Hang) < 0)
                {
                    run.Violate($"--part {part}: a call hangs");
                    one.Dispose();
                    other.Dispose();
                }
                all.GetAwaiter().GetResult();
                RequireNoneInFlight(one);
                RequireNoneInFlight(other);
            }
            servers.ForEach(static server => server.Finish());
            // What dead clients left, the next that joins deletes, if no server has.
            RpcClient<Parcel, Parcel>.OpenFile(site.Queue).Dispose();
            string[] left = Directory.GetFiles(site.Root, ".*");
            if (left.Length > 0)
            {
                run.Violate($"--part {part}: left over: {string.Join(", ", left)}");
            }
        }
        finally
        {
            servers.ForEach(static server => server.Dispose());
        }
        run.Count("calls", Interlocked.Read(ref _calls));
        run.Count("rounds");
        Measure();
    }

    // A server lives for a while after the signal, because each of its threads has to end: until then the system says that it lives.
    private void Measure()
    {
        LatencyHistogram untilGone = new(), untilTold = new(), afterwards = new();
        foreach (Death death in _deaths.Values)
        {
            untilGone.Record(NanosecondsBetween(death.Killed, death.Gone));
        }
        foreach ((Death death, long began, long told) in _told)
        {
            untilTold.Record(NanosecondsBetween(Math.Max(death.Killed, began), told));
            afterwards.Record(NanosecondsBetween(Math.Max(death.Gone, began), told));
        }
        run.Measure("from SIGKILL of a server to the exception of its calls", untilTold);
        run.Measure("of that: from SIGKILL until the system says that the server is dead", untilGone);
        run.Measure("of that: from the server's death to the exception of its calls", afterwards);
    }

    private static long NanosecondsBetween(long one, long other) =>
        other <= one ? 0 : (long)Stopwatch.GetElapsedTime(one, other).TotalNanoseconds;

    private void RequireNoneInFlight(RpcClient<Parcel, Parcel> client)
    {
        RpcStatistics counted = client.GetStatistics();
        if (counted.InFlight != 0 || counted.Failed != 0)
        {
            run.Violate($"--part {part}: all calls have ended, and {counted} is counted");
        }
    }

    private PeerProcess Start(Site site)
    {
        PeerProcess server = pool.Take().Employ(
            site.Queue, site.NewLog(), _random.Next(2) == 0 ? "rpc-serve" : "rpc-spin", failPoint: "", failSync: "", []);
        return server.WaitFor("ready");
    }

    private void Kill(Site site, List<PeerProcess> servers, Caller caller)
    {
        for (int kill = 0; kill < Kills && !run.TimeIsUp; kill++)
        {
            Thread.Sleep(_random.Next(LongestPause));
            if (_random.Next(5) == 0)
            {
                caller.KillAndReplace();
            }
            int index = _random.Next(servers.Count);
            PeerProcess victim = servers[index];
            if (_random.Next(3) == 0)
            {
                victim.Stop();
                Thread.Sleep(_random.Next(LongestPause));
                run.Count("stops of servers");
                if (_random.Next(2) == 0)
                {
                    victim.Continue();
                    continue;
                }
            }
            var death = new Death { Killed = Stopwatch.GetTimestamp() };
            _deaths[victim.Id] = death;
            victim.Kill();
            run.Count("kills of servers");
            while (!victim.HasExited)
            {
                Thread.Sleep(1);
            }
            death.Gone = Stopwatch.GetTimestamp();
            victim.WaitForExit();
            victim.Dispose();
            servers[index] = Start(site);
        }
    }

    /// <summary>A client that is killed in the middle of its calls.</summary>
    private sealed class Caller(RequestsRound round, Site site) : IDisposable
    {
        private PeerProcess _peer = round.StartClient(site);

        public void KillAndReplace()
        {
            Dispose();
            _peer = round.StartClient(site);
        }

        public void Dispose()
        {
            _peer.Kill();
            round.NoteKilledClient(_peer.WaitForExit(), _peer.Said);
            _peer.Dispose();
        }
    }

    private PeerProcess StartClient(Site site) => pool.Take().Employ(
        site.Queue, site.NewLog(), "rpc-call", failPoint: "", failSync: "", ["at-once=8"]);

    private void NoteKilledClient(int code, string said)
    {
        run.Count("kills of clients");
        if (code != Worker.KilledCode)
        {
            run.Violate($"--part {part}: a client ended with {code} before it was killed: {said}");
        }
    }

    private async Task CallAsync(RpcClient<Parcel, Parcel> client, int caller, bool onThread)
    {
        var random = new Random(run.Seed + (int)part + caller);
        var request = new Parcel();
        Parcel? reply = null;
        for (long number = 0; !_end.IsCancellationRequested; number++)
        {
            // Now and then one that is streamed.
            int size = random.Next(200) switch { 0 => random.Next(5_000_000), < 20 => random.Next(100_000), _ => random.Next(3000) };
            request.Fill(caller, number, size);
            long began = Stopwatch.GetTimestamp();
            using var patience = new CancellationTokenSource();
            int way = random.Next(20);
            try
            {
                if (onThread)
                {
                    client.Call(in request, ref reply);
                }
                else
                {
                    reply = await CallSomehowAsync(client, request, reply, way, random, patience);
                }
                if (reply.Producer != caller || reply.Number != number || reply.Length != size || !reply.IsIntact())
                {
                    run.Violate($"--part {part}: call {caller}.{number} of {size} was answered by {reply.Producer}.{reply.Number}");
                }
            }
            catch (PeerLostException lost)
            {
                NoteLost(lost, way == AwaitedLate && !onThread ? long.MaxValue : began);
                reply = null;
            }
            catch (Exception exception) when (patience.IsCancellationRequested
                && exception is OperationCanceledException or RpcTimeoutException)
            {
                run.Count("calls given up");
                reply = null;
            }
            Interlocked.Increment(ref _calls);
        }
    }

    // Now and then the call is given up at any moment, awaited late, or the only one of a stream.
    private static async ValueTask<Parcel> CallSomehowAsync(
        RpcClient<Parcel, Parcel> client, Parcel request, Parcel? reply, int way, Random random, CancellationTokenSource patience)
    {
        switch (way)
        {
            case 0:
                patience.CancelAfter(random.Next(4));
                return await client.CallAsync(request, reply, cancellationToken: patience.Token);
            case 1:
                var timeout = TimeSpan.FromMilliseconds(random.Next(1, 5));
                patience.Cancel();
                return await client.CallAsync(request, reply, timeout);
            case AwaitedLate:
                ValueTask<Parcel> call = client.CallAsync(request, reply);
                await Task.Delay(random.Next(200), CancellationToken.None);
                return await call;
            case 3:
                try
                {
                    return await ReadOneAsync(client.StreamAsync(request, 2 * Hang, CancellationToken.None));
                }
                catch (RpcFaultException)
                {
                    // A server that answers on a thread has no streams, and says so.
                    return await client.CallAsync(request, reply);
                }
            default:
                return await client.CallAsync(request, reply);
        }
    }

    private static async ValueTask<Parcel> ReadOneAsync(IAsyncEnumerable<Parcel> replies)
    {
        Parcel? only = null;
        await foreach (Parcel reply in replies)
        {
            only = only is null ? reply : throw new InvalidOperationException("A call was answered twice.");
        }
        return only ?? throw new InvalidOperationException("A stream ended without its reply.");
    }

    private void NoteLost(PeerLostException lost, long began)
    {
        run.Count(lost.WasTaken ? "calls lost after they were taken" : "calls lost before they were taken");
        if (lost.ProcessId is not { } server)
        {
            return;
        }
        long told = Stopwatch.GetTimestamp();
        if (!_deaths.TryGetValue(server, out Death? death))
        {
            run.Violate($"--part {part}: process {server} is called dead, and lives");
            return;
        }
        if (began == long.MaxValue)
        {
            // Its caller has looked later.
            return;
        }
        _told.Enqueue((death, began, told));
    }

    /// <summary>When a server was killed, and when it was found dead, by <see cref="Stopwatch"/>.</summary>
    private sealed class Death
    {
        public long Killed { get; init; }

        public long Gone { get; set; }
    }
}
