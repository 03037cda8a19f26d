using System.Diagnostics;
using BlitQueue.Checker;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>
/// A directory in which workers work and die, their logs, and the file that tells the checker of them.
/// What it finds wrong keeps the directory.
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
        PeerProcess peer = pool.Take();
        var logs = new List<string>();
        int number = NoteWorker(job, peer, logs);
        string[] plan = [];
        if (job.Threads.Count > 0)
        {
            plan = [$"plan={Path.Combine(Root, $"{number}.plan")}"];
            File.WriteAllLines(
                Path.Combine(Root, $"{number}.plan"),
                job.Threads.Select(thread => string.Join('\t', Words(thread, NoteWorker(thread, peer, logs)))));
        }
        string[] words = Words(job, number);
        peer.Employ(words[1], words[2], words[0], failPoint, failSync, [.. words[3..], .. plan]);
        lock (_sync)
        {
            _peers.Add(peer);
        }
        return new Worker(peer, job, logs);
    }

    // The number that it has as a worker, and as a producer.
    private int NoteWorker(Job job, PeerProcess peer, List<string> logs)
    {
        int number = Interlocked.Increment(ref _workers);
        logs.Add($"{number}.log");
        Note($"worker {number}.log{job.Describe(number, peer.Id)}");
        return number;
    }

    private string[] Words(Job job, int number) =>
        [job.Command, Path.Combine(Root, job.Queue), Path.Combine(Root, $"{number}.log"), $"producer={number}", .. job.Options];

    /// <summary>A log for what the campaign itself does, as a worker that nobody kills.</summary>
    public OwnLog OpenLog(Job job)
    {
        int number = Interlocked.Increment(ref _workers);
        string log = $"{number}.log";
        Note($"worker {log}{job.Describe(number, Environment.ProcessId)}");
        Note($"ended {log}");
        return new OwnLog(Path.Combine(Root, log), number);
    }

    /// <summary>Kills workers at the same moment, and waits for their deaths.</summary>
    public void Kill(IReadOnlyList<Worker> victims)
    {
        long began = Stopwatch.GetTimestamp();
        foreach (Worker victim in victims)
        {
            victim.Peer.Kill();
        }
        foreach (Worker victim in victims)
        {
            NoteDeath(victim, began);
        }
    }

    /// <summary>Waits for a worker that was killed. Another end is a violation.</summary>
    /// <param name="began">When it was killed, in ticks; 0 where that is not known.</param>
    public void NoteDeath(Worker worker, long began = 0)
    {
        int code = worker.Peer.WaitForExit();
        Require(code == Worker.KilledCode, $"{worker.Job.Command} ended with {code} before it was killed: {worker.Peer.Said}");
        Left(worker, code == Worker.KilledCode, began);
    }

    /// <summary>Notes that a worker was stopped, and goes on, or dies, now.</summary>
    /// <param name="began">When it was stopped, in ticks.</param>
    public void NoteStop(Worker worker, long began) => NoteEach(worker, "stopped", $" {began} {Stopwatch.GetTimestamp()}");

    /// <summary>Notes what became of a worker that was waited for.</summary>
    public void Left(Worker worker, bool killed, long began = 0)
    {
        NoteEach(worker, killed ? "killed" : "ended", killed ? $" {began} {Stopwatch.GetTimestamp()}" : "");
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

    /// <summary>
    /// Says something of a subscription: "unordered", for example, where its consumers do not see a producer's messages in their order.
    /// </summary>
    public void NoteGroup(string group, string fact) => Note($"group {group} {fact}");

    /// <summary>Says that nobody is killed, and that all is emptied at the end.</summary>
    public void NoteExact() => Note("exact");

    /// <summary>What the checker finds in the directory, and nothing else, decides.</summary>
    public void Judge()
    {
        var verdict = Verdict.Of(Root);
        run.Count("messages acknowledged", verdict.Acknowledged);
        run.Count("deliveries", verdict.Deliveries);
        foreach ((string explanation, long count) in verdict.Counts)
        {
            run.Count(explanation, count);
        }
        foreach (string violation in verdict.Violations.Take(10))
        {
            Violate(violation);
        }
        Require(verdict.Violations.Count <= 10, $"and {verdict.Violations.Count - 10} more");
    }

    public void Require(bool isMet, string otherwise)
    {
        if (!isMet)
        {
            Violate(otherwise);
        }
    }

    public void Violate(string what)
    {
        _keep = true;
        run.Violate($"{name}: {what} (in {Root}; dotnet run --project tests/Checker -- {Root})");
    }

    private void NoteEach(Worker worker, string what, string times)
    {
        foreach (string log in worker.Logs)
        {
            Note($"{what} {log}{times}");
        }
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

/// <summary>A process that has a job, and the logs of it and of its threads.</summary>
internal sealed record Worker(PeerProcess Peer, Job Job, IReadOnlyList<string> Logs)
{
    /// <summary>The exit code that SIGKILL makes.</summary>
    public const int KilledCode = 137;

    /// <summary>Its queue is open.</summary>
    public bool IsReady => Peer.Output.Length > 0;
}
