using BlitQueue.Log;
using static BlitQueue.Reliability.Kills.StepCase;

namespace BlitQueue.Reliability.Kills;

/// <summary>Deaths at the steps of transactions over the queues of a store.</summary>
internal static class StoreSteps
{
    private static readonly ProtocolStep[] Decided =
    [
        ProtocolStep.TransactionDecided, ProtocolStep.AppendPublished, ProtocolStep.AppendTailMoved, ProtocolStep.AppendLockReleased,
        ProtocolStep.TransactionLeaseEnded,
    ];

    private static readonly ProtocolStep[] Durable =
        [ProtocolStep.TransactionPartsSynced, ProtocolStep.TransactionDecisionSynced, ProtocolStep.TransactionEndSynced];

    public static IEnumerable<StepCase> Cases() =>
    [
        .. Of(
            "transfer",
            [.. Steps.Named("CommitLock", "Transaction").Except(Durable),
                .. Steps.Named("AppendLock", "AppendBatch", "AppendPublished", "AppendTail"), ProtocolStep.LeaseTaken], Transfer),
        .. Of(
            "large transfer",
            [ProtocolStep.AppendBatchWritten, ProtocolStep.TransactionDecided, ProtocolStep.AppendPublished, ProtocolStep.SegmentAnnounced],
            LargeTransfer),
        .. Of("durable transfer", Steps.Named("CommitLock", "Transaction"), DurableTransfer),
        .. Of(
            "completion",
            [.. Steps.Named("Completion"), .. Steps.Named("RollForward"), ProtocolStep.TransactionLeaseEnded,
                ProtocolStep.TransactionNumbered, ProtocolStep.TransactionReleased], Completion),
        .. Of(
            "append after a transaction",
            [ProtocolStep.RollForwardLockAcquired, ProtocolStep.RollForwardPublished, ProtocolStep.RollForwardTailMoved], Append),
        .. Of(
            "recovery of a store", [ProtocolStep.RecoveryStoreWordsSet, ProtocolStep.RecoveryWordsSet, ProtocolStep.CompletionBegun],
            Recovery),
    ];

    private static bool Transfer(StepPlay play, ProtocolStep step)
    {
        Fill(play, 60, 100);
        bool died = play.Die(Transferer(play), step, ends: true);
        MendBadly(play);
        return died;
    }

    // Batches over several segments: large messages, many of them in a transaction.
    private static bool LargeTransfer(StepPlay play, ProtocolStep step)
    {
        Fill(play, 60, 9000);
        bool died = play.Die(Transferer(play, batch: 20), step, 1 + (play.Time % 3), ends: true);
        MendBadly(play);
        return died;
    }

    private static bool DurableTransfer(StepPlay play, ProtocolStep step)
    {
        Fill(play, 60, 100);
        bool died = play.Die(Durably(Transferer(play)), step, ends: true);
        if (play.Random.Next(2) == 0)
        {
            play.PretendRestart();
        }
        MendBadly(play);
        return died;
    }

    private static bool Completion(StepPlay play, ProtocolStep step)
    {
        Fill(play, 60, 100);
        ProtocolStep first = step == ProtocolStep.RollForwardTailMoved || step == ProtocolStep.RollForwardPublished
            || step == ProtocolStep.TransactionLeaseEnded
            ? ProtocolStep.TransactionDecided
            : Decided[play.Random.Next(Decided.Length - 1)];
        if (step == ProtocolStep.RollForwardLockAcquired)
        {
            first = ProtocolStep.TransactionDecided;
        }
        bool died = play.Die(Transferer(play), first, 1 + play.Random.Next(4), ends: true) && play.Die(Sender(), step, 1);
        MendBadly(play);
        return died;
    }

    // An append that knows of no store takes the dead one's append lock over.
    private static bool Append(StepPlay play, ProtocolStep step)
    {
        Fill(play, 60, 100);
        bool died = play.Die(Transferer(play), ProtocolStep.TransactionDecided, 1 + play.Random.Next(4), ends: true)
            && play.Die(new Job("produce") { Queue = "left", Only = "left", Options = ["count=1"], Operations = [1] }, step, 1);
        MendBadly(play);
        return died;
    }

    private static bool Recovery(StepPlay play, ProtocolStep step)
    {
        Fill(play, 60, 100);
        bool died = play.Die(Durably(Transferer(play)), ProtocolStep.TransactionDecisionSynced, 1 + play.Random.Next(3), ends: true);
        play.PretendRestart();
        died &= play.Die(Durably(Sender()), step, 1);
        if (play.Random.Next(2) == 0)
        {
            play.PretendRestart();
        }
        MendBadly(play);
        return died;
    }

    // Who carries out what the dead had committed, or receives what they had received, may die of it too.
    private static void MendBadly(StepPlay play)
    {
        ProtocolStep[] steps =
        [
            .. Steps.Named("Completion"), .. Steps.Named(
                "RollForward"), .. Decided, ProtocolStep.LeaseTakenOver, ProtocolStep.TransactionWritten,
            ProtocolStep.TransactionLeaseMarked, ProtocolStep.TransactionNumbered,
        ];
        for (int deaths = play.Random.Next(3); deaths > 0; deaths--)
        {
            ProtocolStep step = steps[play.Random.Next(steps.Length)];
            if (play.Random.Next(2) == 0)
            {
                play.Die(Sender(), step, 1 + play.Random.Next(3));
            }
            else
            {
                play.Die(Transferer(play) with { Options = ["to=left,right", "count=3"] }, step, 1 + play.Random.Next(3), ends: true);
            }
        }
    }

    private static void Fill(StepPlay play, int count, int size)
    {
        play.Options = play.Options with { UseChecksums = true };
        using (var store = MappedStore.Open(play.Trial.Root, play.Options))
        {
            foreach (string name in (string[])["queue", "left", "right"])
            {
                store.OpenQueue<Parcel>(name);
            }
        }
        play.Fill(count, size);
    }

    private static Job Transferer(StepPlay play, int batch = 2) => new("store-transfer") { Options = ["to=left,right", $"batch={batch}"] };

    private static Job Durably(Job job) => job with { Options = [.. job.Options, "durable=1"] };

    private static Job Sender() => new("store-send") { Options = ["to=other", "count=1"] };
}
