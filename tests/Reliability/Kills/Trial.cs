using BlitQueue.Checker;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>
/// A directory in which workers work and die, their logs, and the file that tells the checker of them. What it finds wrong keeps the directory.
/// </summary>
/// <param name="run">Where is counted and reported.</param>
/// <param name="name">What is tried, so that it can be repeated.</param>
internal sealed class Trial(CampaignRun run, string name, PeerPool pool, bool inMemory = true) : IDisposable
{
    private readonly Lock _sync = new();
    private readonly List<PeerProcess> _peers = [];
    private int _workers;
    private bool _keep;

    public Site Site { get; } = new(inMemory);

    public string Root => Site.Root;

    public string Queue => Site.Queue;

    public string Name => name;

    /// <summary>Gives a spare process this job.</summary>
    /// <param name="failPoint">Where it dies or stops by itself.</param>
    public Worker Employ(Job job, string failPoint = "", string failSync = "")
    {
        int number = Interlocked.Increment(ref _workers);
        string log = $"{number}.log";
        Note($"worker {log}{job.Describe(number)}");
        PeerProcess peer = pool.Take().Employ(
            Path.Combine(Root, job.Queue), Path.Combine(Root, log), job.Command, failPoint, failSync, [$"producer={number}", .. job.Options]);
        lock (_sync)
        {
            _peers.Add(peer);
        }
        return new Worker(peer, job, log);
    }

    /// <summary>A log for what the campaign itself does, as a worker that nobody kills.</summary>
    public OwnLog OpenLog(Job job)
    {
        int number = Interlocked.Increment(ref _workers);
        string log = $"{number}.log";
        Note($"worker {log}{job.Describe(number)}");
        Note($"ended {log}");
        return new OwnLog(Path.Combine(Root, log), number);
    }

    /// <summary>Kills workers at the same moment, and waits for their deaths.</summary>
    public void Kill(IReadOnlyList<Worker> victims)
    {
        foreach (Worker victim in victims)
        {
            victim.Peer.Kill();
        }
        foreach (Worker victim in victims)
        {
            NoteDeath(victim);
        }
    }

    /// <summary>Waits for a worker that was killed. Another end is a violation.</summary>
    public void NoteDeath(Worker worker)
    {
        int code = worker.Peer.WaitForExit();
        Require(code == Worker.KilledCode, $"{worker.Job.Command} ended with {code} before it was killed: {worker.Peer.Said}");
        Left(worker, code == Worker.KilledCode);
    }

    /// <summary>Notes what became of a worker that was waited for.</summary>
    public void Left(Worker worker, bool killed)
    {
        Note($"{(killed ? "killed" : "ended")} {worker.Log}");
        Release(worker.Peer);
    }

    /// <summary>Lets a worker come to its end, which must be a good one.</summary>
    public void Finish(Worker worker)
    {
        worker.Peer.EndInput();
        int code = worker.Peer.WaitForExit();
        if (code != 0)
        {
            Violate($"{worker.Job.Command} ended with {code}: {worker.Peer.Said}");
        }
        Left(worker, killed: false);
    }

    /// <summary>Says that a subscription's consumers do not see a producer's messages in their order.</summary>
    public void Unordered(string group) => Note($"group {group} unordered");

    /// <summary>What the checker finds in the directory, and nothing else, decides.</summary>
    public void Judge()
    {
        Verdict verdict = Verdict.Of(Root);
        run.Count("messages acknowledged", verdict.Acknowledged);
        run.Count("deliveries", verdict.Deliveries);
        foreach (string violation in verdict.Violations.Take(10))
        {
            Violate(violation);
        }
        Require(verdict.Violations.Count <= 10, $"and {verdict.Violations.Count - 10} more");
    }

    public void Require(bool holds, string otherwise)
    {
        if (!holds)
        {
            Violate(otherwise);
        }
    }

    public void Violate(string what)
    {
        _keep = true;
        run.Violate($"{name}: {what} (in {Root}; dotnet run --project tests/Checker -- {Root})");
    }

    private void Note(string line)
    {
        lock (_sync)
        {
            File.AppendAllText(Path.Combine(Root, Crew.FileName), line + "\n");
        }
    }

    private void Release(PeerProcess peer)
    {
        lock (_sync)
        {
            _peers.Remove(peer);
        }
        peer.Dispose();
    }

    public void Dispose()
    {
        foreach (PeerProcess peer in _peers)
        {
            peer.Dispose();
        }
        if (!_keep)
        {
            Site.Dispose();
        }
    }
}
