using BlitQueue.Segments;

namespace BlitQueue.Reliability.Kills;

/// <summary>How a trial's directory is emptied at the end, so that the checker sees where each message went.</summary>
internal static class Scenes
{
    /// <summary>The queues that transactions pass messages on to.</summary>
    public static readonly string[] Outputs = ["left", "right"];

    /// <summary>Empties the queue, or the store.</summary>
    /// <param name="turnHeld">Somebody died with the turn: that must have been repaired.</param>
    public static void Empty(Trial trial, QueueOptions options, bool turnHeld)
    {
        if (File.Exists(Path.Combine(trial.Root, TransactionFormat.FileName)))
        {
            EmptyStore(trial, options);
        }
        else
        {
            EmptyQueue(trial, options, ["default"], oneStep: false, turnHeld);
        }
    }

    public static void EmptyQueue(Trial trial, QueueOptions options, string[] groups, bool oneStep, bool turnHeld)
    {
        using (MappedQueue<Parcel> queue = MappedQueue<Parcel>.Open(trial.Queue, options))
        {
            foreach (string group in groups)
            {
                using OwnLog log = trial.OpenLog(new Job("drain") { Group = group, TakesLeases = !oneStep });
                Drain.Subscription(queue, group, oneStep, log);
            }
            trial.Require(!turnHeld || queue.GetStatus().Repairs > 0, "a process died with the turn, and nobody has repaired that");
        }
        Baseline.Require(trial, trial.Queue, options);
    }

    /// <summary>Passes on what is left, then empties both outputs as consumers that know of no store.</summary>
    public static void EmptyStore(Trial trial, QueueOptions options)
    {
        using (MappedStore store = MappedStore.Open(trial.Root, options))
        {
            Transfer(store);
        }
        foreach (string output in Outputs)
        {
            trial.NoteGroup(output, "unordered");
            using MappedQueue<Parcel> queue = MappedQueue<Parcel>.Open(Path.Combine(trial.Root, output), options);
            using OwnLog log = trial.OpenLog(new Job("drain") { Group = output, TakesLeases = true });
            Drain.Subscription(queue, "default", oneStep: false, log);
        }
        foreach (string name in (string[])["queue", .. Outputs])
        {
            Baseline.Require(trial, Path.Combine(trial.Root, name), options);
        }
    }

    private static void Transfer(MappedStore store)
    {
        Subscription<Parcel> from = store.OpenQueue<Parcel>("queue").Subscribe("default", new SubscriptionOptions { MaxAttempts = int.MaxValue });
        MappedQueue<Parcel>[] to = [.. Outputs.Select(output => store.OpenQueue<Parcel>(output))];
        Parcel? parcel = null;
        for (int idle = 0; idle < Drain.Looks; Thread.Sleep(idle++))
        {
            while (TryTransfer(store, from, to, ref parcel))
            {
                idle = 0;
            }
        }
    }

    private static bool TryTransfer(MappedStore store, Subscription<Parcel> from, MappedQueue<Parcel>[] to, ref Parcel? parcel)
    {
        using QueueTransaction transaction = store.Begin();
        if (!transaction.TryReceive(from, ref parcel))
        {
            return false;
        }
        transaction.EnqueueToAll(parcel!, to);
        transaction.Commit();
        return true;
    }
}
