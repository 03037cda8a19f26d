using BlitQueue.Reliability.Kills;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Requests;

/// <summary>
/// One channel, and clients that are stopped in the middle of long requests and replies, let go and killed. Servers answer on threads; they
/// are killed, closed and opened again.
/// </summary>
internal sealed class RequestsStops(CampaignRun run, long part, PeerPool pool)
{
    private const int Clients = 4, Servers = 2, Happenings = 60, LongestPause = 50;

    // Stopped clients have more calls than that.
    private const int FewParked = 3;

    private readonly Random _random = run.RandomOf(part);
    // Longer than any block, or pieces of a cell at a time where there is no block.
    private readonly string _longest = $"longest={(part % 2 == 0 ? 3_000_000 : 100_000)}";
    private readonly List<string> _clientLogs = [], _serverLogs = [];
    private readonly HashSet<PeerProcess> _stopped = [];

    public void Try()
    {
        using var site = new Site(inMemory: true);
        PeerProcess[] clients = [], servers = [];
        try
        {
            servers = [.. Enumerable.Range(0, Servers).Select(_ => StartServer(site))];
            clients = [.. Enumerable.Range(0, Clients).Select(_ => StartClient(site))];
            for (int happening = 0; happening < Happenings && !run.TimeIsUp; happening++)
            {
                Thread.Sleep(_random.Next(LongestPause));
                Happen(site, clients, servers);
            }
            foreach (PeerProcess stopped in _stopped)
            {
                stopped.Continue();
            }
            RequireRest(clients, servers);
            RequireOnce();
        }
        finally
        {
            Array.ForEach(clients, static one => one.Dispose());
            Array.ForEach(servers, static one => one.Dispose());
        }
        run.Count("rounds with stopped clients");
    }

    private void Happen(Site site, PeerProcess[] clients, PeerProcess[] servers)
    {
        int client = _random.Next(Clients), server = _random.Next(Servers);
        switch (_random.Next(10))
        {
            case 0:
                Kill(servers[server], "kills of servers");
                servers[server] = StartServer(site);
                break;
            case 1:
                Kill(clients[client], "kills of clients");
                clients[client] = StartClient(site);
                break;
            case < 4 when _stopped.Count > 0:
                Array.ForEach([.. _stopped], LetGo);
                break;
            default:
                if (_stopped.Add(clients[client]))
                {
                    clients[client].Stop();
                    run.Count("stops of clients");
                }
                else
                {
                    LetGo(clients[client]);
                }
                break;
        }
    }

    private void LetGo(PeerProcess client)
    {
        client.Continue();
        _stopped.Remove(client);
    }

    private void Kill(PeerProcess victim, string counter)
    {
        run.Count(counter);
        _stopped.Remove(victim);
        victim.Kill();
        if (victim.WaitForExit() != Worker.KilledCode || victim.Said.Contains("WRONG", StringComparison.Ordinal))
        {
            run.Violate($"--part {part}: {victim.Said}");
        }
        victim.Dispose();
    }

    private PeerProcess StartServer(Site site)
    {
        string log = site.NewLog();
        _serverLogs.Add(log);
        return pool.Take().Employ(
            site.Queue, log, "rpc-crew", failPoint: "", failSync: "",
            [
                _longest, $"seed={_random.Next()}", $"threads={_random.Next(1, 4)}",
                $"concurrency={(_random.Next(2) == 0 ? FewParked : 64)}",
            ]).WaitFor("ready");
    }

    private PeerProcess StartClient(Site site)
    {
        string log = site.NewLog();
        _clientLogs.Add(log);
        return pool.Take().Employ(
            site.Queue, log, "rpc-mix", failPoint: "", failSync: "",
            [_longest, $"producer={_clientLogs.Count}", $"blocks={_random.Next(4)}", $"cells={_random.Next(2, 12)}"]).WaitFor("ready");
    }

    private void RequireRest(PeerProcess[] clients, PeerProcess[] servers)
    {
        Array.ForEach(clients, static one => one.EndInput());
        Array.ForEach(clients, static one => one.WaitFor("calm"));
        foreach (PeerProcess server in servers)
        {
            server.Stop();
            server.WaitForStop();
        }
        Array.ForEach(clients, static one => File.WriteAllText(one.LogPath + ".check", ""));
        Array.ForEach(clients, RequireEnd);
        foreach (PeerProcess server in servers)
        {
            server.Continue();
            server.EndInput();
            RequireEnd(server);
        }
    }

    private void RequireEnd(PeerProcess one)
    {
        if (one.WaitForExit() != 0 || one.Said.Contains("WRONG", StringComparison.Ordinal))
        {
            run.Violate($"--part {part}: {one.Said}");
        }
    }

    // What a handler has seen, and what callers were told.
    private void RequireOnce()
    {
        var seen = new Dictionary<string, int>();
        foreach (string call in _serverLogs.SelectMany(File.ReadLines))
        {
            seen[call] = seen.GetValueOrDefault(call) + 1;
        }
        foreach ((string call, int times) in seen.Where(static one => one.Value > 1))
        {
            run.Violate($"--part {part}: call {call} was handled {times} times");
        }
        foreach ((string log, int index) in _clientLogs.Select(static (log, index) => (log, index)))
        {
            foreach (string[] call in File.ReadLines(log).Select(static line => line.Split(' ')))
            {
                RequireTold($"{index + 1} {call[0]}", call[1], seen);
                run.Count("calls beside stopped clients");
            }
        }
    }

    private void RequireTold(string call, string end, Dictionary<string, int> seen)
    {
        bool wasSeen = seen.ContainsKey(call);
        if (end == "answered" ? !wasSeen : end == "not-taken" && wasSeen)
        {
            run.Violate($"--part {part}: call {call} is said to be {end}, and {(wasSeen ? "a" : "no")} handler has seen it");
        }
    }
}
