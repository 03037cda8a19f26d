using System.Diagnostics;
using System.Text;
using BlitQueue.Log;

namespace BlitQueue.Reliability.Kills;

/// <summary>A trial in which processes die at named steps, one after the other; then the others must be able to go on.</summary>
/// <param name="step">Where the first one dies.</param>
/// <param name="time">Which time the step is reached.</param>
internal sealed class StepPlay(CampaignRun run, Trial trial, Random random, ProtocolStep step, int time) : IDisposable
{
    private readonly OwnLog _log = trial.OpenLog(new Job("survivor") { Operations = [1] });
    private readonly Parcel _parcel = new();
    private long _number;

    public Trial Trial => trial;

    public Random Random => random;

    public int Time => time;

    /// <summary>Whether the append lock was to be taken over from a dead one.</summary>
    public bool LockHeld { get; set; }

    /// <summary>Small segments, so that all of it goes on over several.</summary>
    public QueueOptions Options { get; set; } = new()
    {
        SegmentSize = 1 << 16,
        UseChecksums = random.Next(2) == 0,
        StallTimeout = TimeSpan.FromSeconds(1),
    };

    /// <summary>How large the workers' messages are; where segments are to roll, not small.</summary>
    public string Size { get; } = $"size={(random.Next(4) == 0 && !Steps.IsRare(step) ? 16 : 500 + random.Next(2500))}";

    public MappedQueue<Parcel> Open(string name = "queue") => MappedQueue<Parcel>.Open(Path.Combine(trial.Root, name), Options);

    public void Enqueue(MappedQueue<Parcel> queue, int count, int size)
    {
        for (int i = 0; i < count; i++)
        {
            queue.Enqueue(_parcel.Fill(_log.Number, _number, size));
            _log.Enqueued(_number++);
        }
    }

    /// <summary>Makes the queue, with messages in it.</summary>
    public void Fill(int count, int size)
    {
        using MappedQueue<Parcel> queue = Open();
        Enqueue(queue, count, size);
    }

    /// <summary>A worker dies at a step.</summary>
    /// <param name="ends">It takes what is there and comes to its end by itself, where it does not die before.</param>
    /// <returns>false when it came to its end.</returns>
    public bool Die(Job job, ProtocolStep death, int at, bool ends = false, string failSync = "", bool mustLive = true)
    {
        bool hand = death == ProtocolStep.DequeueCommitted || Steps.IsInBackground(death)
            || death is ProtocolStep.SubscriptionMade or ProtocolStep.SubscriptionEnded or ProtocolStep.SubscriptionMarkedGone;
        Worker worker = trial.Employ(
            job with
            {
                InHand = hand
                ? Math.Max(job.InHand, 1)
                : 0,
                Options = [.. job.Options, $"segment={Options.SegmentSize}", $"checksum={(Options.UseChecksums == true ? 1 : 0)}"]
            },
            $"{death}:{at}:kill",
            failSync);
        if (ends)
        {
            worker.Peer.EndInput();
        }
        int code = worker.Peer.WaitForExit();
        bool died = code == Worker.KilledCode;
        trial.Require(died || code == 0 || !mustLive, $"{job.Command} ended with {code}: {worker.Peer.Said}");
        trial.Left(worker, died);
        if (died)
        {
            LockHeld |= Steps.HoldsLock(death) && job.Queue == "queue" && job.Command != "sort";
        }
        return died;
    }

    /// <summary>The same, at the time of this play.</summary>
    public bool Die(Job job, ProtocolStep death, bool ends = false) => Die(job, death, time, ends);

    /// <summary>Enqueues, and measures how long the deaths of others keep it from that.</summary>
    public void GoOn(MappedQueue<Parcel> queue)
    {
        long began = Stopwatch.GetTimestamp();
        Enqueue(queue, 1, 200);
        run.Highest("us longest enqueue after a death", (long)Stopwatch.GetElapsedTime(began).TotalMicroseconds);
        Enqueue(queue, random.Next(100), 200);
    }

    /// <summary>The words that queues and stores keep are of another boot of the system, as after a restart.</summary>
    public void PretendRestart()
    {
        foreach (string file in Directory.EnumerateFiles(trial.Root, "*", SearchOption.AllDirectories)
            .Where(static path => Path.GetFileName(path) is StoreFormat.ControlName or TransactionFormat.FileName))
        {
            Write(file, ControlFormat.BootOffset, Encoding.ASCII.GetBytes("another boot of this machine"));
        }
    }

    public static void Write(string path, long offset, byte[] bytes)
    {
        using FileStream file = File.Open(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        file.Position = offset;
        file.Write(bytes);
    }

    public void Dispose() => _log.Dispose();
}
