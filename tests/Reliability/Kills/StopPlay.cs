using BlitQueue.Log;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Reliability.Kills;

/// <summary>A worker that is stopped at a named step, and what the others meet meanwhile: never its lock or its messages.</summary>
internal sealed class StopPlay(CampaignRun run, long part, PeerPool pool)
{
    private static readonly QueueOptions Options = new()
    {
        SegmentSize = 1 << 16,
        UseChecksums = true,
        StallTimeout = TimeSpan.FromMilliseconds(300),
    };

    // Between these a committing process holds the store's commit lock.
    private static readonly ProtocolStep[] CommitLock =
        [.. Steps.Named("CommitLock", "Transaction").Except([ProtocolStep.CommitLockReleased]),
            .. Steps.All.Where(static step => Steps.HoldsLock(step) && step < ProtocolStep.RollPadPublished)];

    private readonly Random _random = run.RandomOf(part);

    public Random Random => _random;

    /// <summary>Where a process at work on a queue is stopped.</summary>
    public static readonly ProtocolStep[] QueueSteps = [.. Steps.Named("Append", "RollPad", "RollTail", "Segment", "Dequeue", "Lease")
        .Except(Steps.Named("LeaseDeadLetter", "LeaseForfeited", "SegmentDeleted"))];

    /// <summary>Where a process that commits is stopped.</summary>
    public static readonly ProtocolStep[] StoreSteps =
    [
        .. Steps.Named("CommitLock", "Transaction")
        .Except([ProtocolStep.TransactionPartsSynced, ProtocolStep.TransactionDecisionSynced, ProtocolStep.TransactionEndSynced]),
        ProtocolStep.AppendPublished, ProtocolStep.AppendTailMoved,
    ];

    /// <summary>Where a process is stopped to whose thread the append lock is biased, or that revokes such a bias.</summary>
    public static readonly ProtocolStep[] BiasSteps =
        [.. Steps.Named("Bias", "Append").Except([ProtocolStep.AppendBatchWritten])];

    public void TryQueue(ProtocolStep step) => TryQueue(
        $"stopped at {step}", step,
        new("work") { Options = ["size=1500", "count=1000"], Operations = [1, 3], Group = "default", TakesLeases = true },
        1 + _random.Next(Steps.IsRare(step) ? 2 : 8), before: 0);

    public void TryBias(ProtocolStep step)
    {
        const int enough = 600;
        TryQueue(
            $"stopped at {step} with a bias", step, new("produce") { Options = ["size=16", "count=5000"], Operations = [1] },
            step is ProtocolStep.BiasGranted or ProtocolStep.BiasRevoked ? 1 : enough + _random.Next(1000),
            before: step == ProtocolStep.BiasRevoked ? enough : 0);
    }

    // Before the process starts, this one appends so many times.
    private void TryQueue(string what, ProtocolStep step, Job job, int time, int before)
    {
        using var trial = new Trial(run, $"--part {part} ({what})", pool);
        using (var queue = MappedQueue<Parcel>.Open(trial.Queue, Options))
        using (OwnLog log = trial.OpenLog(new Job("survivor") { Operations = [1], Group = "default", TakesLeases = true }))
        {
            for (int i = 0; i < before; i++)
            {
                trial.Require(TryEnqueue(trial, queue, log, i) is null, "nobody else is there, and nothing could be enqueued");
            }
            Worker worker = StopAt(trial, job, step, time);
            string? stall = null;
            for (int i = before; i < before + 20 && stall is null; i++)
            {
                stall = TryEnqueue(trial, queue, log, i);
                RequireRight(trial, step, worker, stall);
                Drain.Receive(queue.Subscribe("default"), log);
            }
            Thread.Sleep(Pause());
            GoOn(trial, worker);
        }
        Scenes.EmptyQueue(trial, Options, ["default"], oneStep: false, lockHeld: false);
        trial.Judge();
    }

    // A process that is stopped while a background thread makes a segment may be in the middle of an append with another thread.
    private static void RequireRight(Trial trial, ProtocolStep step, Worker stopped, string? stall)
    {
        bool isNamed = stall?.Contains($"process {stopped.Peer.Id}", StringComparison.Ordinal) == true;
        if (Steps.HoldsLock(step))
        {
            trial.Require(stall is not null, $"a message was enqueued while process {stopped.Peer.Id} had the append lock");
            trial.Require(isNamed, $"another process was named: {stall}");
        }
        else
        {
            trial.Require(
                stall is null || (Steps.IsInBackground(step) && isNamed),
                $"nobody holds the append lock, and nothing could be enqueued: {stall}");
        }
    }

    public void TryStore(ProtocolStep step)
    {
        using var trial = new Trial(run, $"--part {part} (stopped at {step} in a transaction)", pool);
        using (var store = MappedStore.Open(trial.Root, Options))
        using (OwnLog log = trial.OpenLog(new Job("survivor") { Operations = [1] }))
        {
            MappedQueue<Parcel>[] queues = [.. Scenes.Outputs.Append("queue").Select(name => store.OpenQueue<Parcel>(name))];
            for (int number = 0; number < 40; number++)
            {
                queues[^1].Enqueue(new Parcel().Fill(log.Number, number, 100));
                log.Enqueued(number);
            }
            Worker worker = StopAt(trial, new Job("store-transfer") { Options = ["to=left,right", "batch=2"] }, step, 1 + _random.Next(5));
            bool committed = TryCommit(store, queues, log, 40, patient: false) && TryCommit(store, queues, log, 41, patient: true);
            trial.Require(
                committed != CommitLock.Contains(step),
                committed
                    ? "another process committed while the stopped one had the append lock"
                    : "nobody holds the append lock, and nothing could be committed");
            Thread.Sleep(Pause());
            GoOn(trial, worker);
        }
        Scenes.EmptyStore(trial, Options);
        trial.Judge();
    }

    /// <summary>At a step of a shared object or a call.</summary>
    public void TryObject(StopCase one)
    {
        using var trial = new Trial(run, $"--part {part} (stopped at {one.Step} in {one.Name})", pool);
        one.Play(this, trial, one.Step);
    }

    /// <summary>Starts a worker that stops when it comes to a step, for the given time, and waits until it has.</summary>
    public Worker StopAt(Trial trial, Job job, ProtocolStep step, int time)
    {
        Worker worker = trial.Employ(job, $"{step}:{time}:stop");
        worker.Peer.WaitForStop();
        run.Count("stops at steps");
        return worker;
    }

    /// <summary>Lets it go on, and come to a good end.</summary>
    public static void GoOn(Trial trial, Worker worker)
    {
        worker.Peer.Continue();
        // A producer comes to its end by itself, a consumer with its input.
        if (worker.Job.Operations.Count > 0)
        {
            trial.Require(worker.Peer.WaitForExit() == 0, $"the stopped process did not go on well: {worker.Peer.Said}");
            trial.Left(worker, killed: false);
        }
        else
        {
            trial.Finish(worker);
        }
    }

    // What it was told instead of enqueuing.
    private string? TryEnqueue(Trial trial, MappedQueue<Parcel> queue, OwnLog log, int number)
    {
        Parcel parcel = new Parcel().Fill(log.Number, number, 200);
        try
        {
            if (_random.Next(2) == 0)
            {
                queue.Enqueue(parcel);
            }
            else
            {
                trial.Require(queue.TryEnqueue(parcel), "the queue called itself full");
            }
        }
        catch (QueueStalledException exception)
        {
            run.Count("appends told of a stopped process");
            return exception.Message;
        }
        log.Enqueued(number);
        return null;
    }

    // To the outputs at once, as what comes through the first queue.
    private bool TryCommit(MappedStore store, MappedQueue<Parcel>[] queues, OwnLog log, int number, bool patient)
    {
        using QueueTransaction transaction = store.Begin();
        transaction.EnqueueToAll(new Parcel().Fill(log.Number, number, 100), queues[..2]);
        try
        {
            if (patient)
            {
                transaction.Commit();
            }
            else if (!transaction.TryCommit())
            {
                return false;
            }
        }
        catch (QueueStalledException)
        {
            run.Count("commits told of a stopped process");
            return false;
        }
        log.Enqueued(number);
        return true;
    }

    private int Pause() => !run.IsLong ? _random.Next(100) : _random.Next(10) switch { 0 => 12_000, < 4 => 2000, _ => 200 };
}
