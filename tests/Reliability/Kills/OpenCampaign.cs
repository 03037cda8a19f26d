using System.Diagnostics;
using System.Text;
using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Reliability.Kills;

/// <summary>Storms of processes that open one queue, and SIGKILL among them.</summary>
internal sealed class OpenCampaign : ICampaign
{
    private const int Spares = 16;

    public string Name => "opens";

    public string Claim =>
        "Many processes open a queue at once: one that does not exist yet, one that others have open, one whose log is to be read after a "
        + "restart of the machine. They are killed at random moments while they open it, the one that has the opening lock above all, also "
        + "in the middle of the log. Nobody is refused, nobody waits for the dead, nothing acknowledged is lost or doubled, and no file is "
        + "left over.";

    public IReadOnlyList<Aim> Aims { get; } =
        [new Aim("openings", 600, 6000), new Aim("kills while opening", 150, 1500), new Aim("kills while the log was read", 10, 150)];

    public void Run(CampaignRun run)
    {
        using var pool = new PeerPool(Spares);
        run.TryParts(part => new OpenRound(run, part, pool).Try());
    }
}

/// <summary>Storms of openers at one queue, some of which are killed; between two storms nobody has the queue open.</summary>
internal sealed class OpenRound(CampaignRun run, long part, PeerPool pool)
{
    private const int Storms = 3, MostKills = 8, LongestPause = 20;

    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(2);

    private readonly Random _random = run.RandomOf(part);
    private readonly List<Worker> _crew = [];

    // Small messages and segments, or large ones, of which there is enough to read for a while.
    private readonly bool _isLong = part % 2 == 0;

    public void Try()
    {
        using var trial = new Trial(run, $"--part {part}", pool, inMemory: _random.Next(2) == 0);
        var options = new QueueOptions { SegmentSize = _isLong ? 1 << 20 : 1 << 16, UseChecksums = _random.Next(2) == 0 };
        // One time in four the first storm makes the queue.
        if (_isLong || _random.Next(2) == 0)
        {
            Fill(trial, options);
        }
        for (int storm = 0; storm < Storms && !run.TimeIsUp; storm++)
        {
            if (_isLong && File.Exists(trial.Site.File(StoreFormat.ControlName)))
            {
                PretendRestart(trial, isAllRead: _random.Next(4) != 0);
            }
            Storm(
                trial,
                new Job("produce")
                {
                    Options =
                    [
                        $"size={16 + _random.Next(400)}", "burst=1", $"segment={options.SegmentSize}",
                        $"checksum={(options.UseChecksums == true ? 1 : 0)}",
                    ],
                    Operations = [1],
                });
            EndStorm(trial);
        }
        Scenes.EmptyQueue(trial, options, [StoreCreator.DefaultSubscription], oneStep: true, lockHeld: false);
        RequireNothingLeft(trial);
        trial.Judge();
        run.Count("rounds");
    }

    private void Fill(Trial trial, QueueOptions options)
    {
        using OwnLog log = trial.OpenLog(new Job("filler") { Operations = [1] });
        using var queue = MappedQueue<Parcel>.Open(trial.Queue, options);
        var parcel = new Parcel();
        for (int number = 0, count = _isLong ? 300 + _random.Next(900) : _random.Next(100); number < count; number++)
        {
            queue.Enqueue(parcel.Fill(log.Number, number, _isLong ? 100_000 : 1000));
            log.Enqueued(number);
        }
    }

    private void Storm(Trial trial, Job job)
    {
        int openers = 6 + _random.Next(run.IsLong ? 30 : 8);
        _crew.AddRange(Enumerable.Range(0, openers).Select(_ => trial.Employ(job)));
        for (int kills = _random.Next(MostKills + 1); kills > 0; kills--)
        {
            if (_isLong && _random.Next(2) == 0)
            {
                SpinWait.SpinUntil(() => Look(trial).Total > 0 || _crew.TrueForAll(static worker => worker.IsReady), LongestWait);
            }
            Thread.Sleep(_random.Next(LongestPause));
            if (Victim(trial) is { } victim)
            {
                run.Count("kills while opening");
                _crew.Remove(victim);
                trial.Kill([victim]);
                _crew.Add(trial.Employ(job));
            }
        }
        long began = Stopwatch.GetTimestamp();
        foreach (Worker worker in _crew)
        {
            SpinWait.SpinUntil(() => worker.IsReady || worker.Peer.HasExited, PeerProcess.Patience);
            trial.Require(
                worker.IsReady, $"an opener did not get in after {Stopwatch.GetElapsedTime(began).TotalSeconds:0} s: {worker.Peer.Said}");
        }
        run.Count("openings", _crew.Count);
        run.Highest("ms longest storm behind the last kill", (long)Stopwatch.GetElapsedTime(began).TotalMilliseconds);
    }

    // Most times the one that has the lock, by its own words; else any that is not in yet.
    private Worker? Victim(Trial trial)
    {
        if (_random.Next(4) != 0 && Look(trial) is { Process: not 0 } look
            && _crew.Find(worker => worker.Peer.Id == look.Process && !worker.IsReady) is { } holder)
        {
            run.Count(look.Total > 0 ? "kills while the log was read" : "kills with the lock");
            return holder;
        }
        return _crew.Find(static worker => !worker.IsReady);
    }

    private static OpeningLook Look(Trial trial)
    {
        try
        {
            using SafeFileHandle locks = File.OpenHandle(
                trial.Site.File(StoreFormat.LockName), share: FileShare.ReadWrite | FileShare.Delete);
            return OpeningProgress.Look(locks);
        }
        catch (IOException)
        {
            return default;
        }
    }

    // All at once by SIGKILL, or by their own.
    private void EndStorm(Trial trial)
    {
        if (_random.Next(2) == 0)
        {
            trial.Kill(_crew);
        }
        else
        {
            _crew.ForEach(static worker => worker.Peer.EndInput());
            _crew.ForEach(trial.Finish);
        }
        _crew.Clear();
    }

    // All of the log is where a restart leaves it: what the words say of it is what a recovery goes by.
    private static void PretendRestart(Trial trial, bool isAllRead)
    {
        string control = trial.Site.File(StoreFormat.ControlName);
        StepPlay.Write(control, ControlFormat.BootOffset, Encoding.ASCII.GetBytes("another boot of this machine"));
        if (isAllRead)
        {
            StepPlay.Write(control, ControlFormat.CheckedOffset, new byte[sizeof(long)]);
        }
    }

    private static void RequireNothingLeft(Trial trial)
    {
        // Dead letters are looked for where a queue is emptied.
        string[] left = [.. trial.Site.Files().Where(
            static name
                => !name.StartsWith(StoreFormat.DeadLettersPrefix, StringComparison.Ordinal)
                && name is not (StoreFormat.MetaName or StoreFormat.LockName or StoreFormat.ControlName)
            && name != StoreFormat.SubscriptionName(StoreCreator.DefaultSubscription) && !StoreFormat.TryParseSegment(name, out _))];
        trial.Require(left.Length == 0, $"left over: {string.Join(", ", left)}");
        int segments = trial.Site.Files().Count(static name => StoreFormat.TryParseSegment(name, out _));
        trial.Require(segments <= 3, $"{segments} segments are left of an empty queue");
    }
}
