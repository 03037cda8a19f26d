using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using static BlitQueue.Reliability.Kills.StepCase;

namespace BlitQueue.Reliability.Kills;

/// <summary>Deaths at the steps of one queue.</summary>
internal static class QueueSteps
{
    private const int Large = 40;

    private static readonly ProtocolStep[] Repairs = [ProtocolStep.RollForwardLockAcquired, ProtocolStep.RollForwardTailMoved];

    /// <summary>Where a process dies that leaves the append lock, or a padded segment, to be repaired.</summary>
    private static readonly ProtocolStep[] Turns = [.. Steps.All.Where(Steps.HoldsLock)];

    // Those of them that a process comes to which does everything but requeue.
    private static readonly ProtocolStep[] Reached = [.. Turns.Except(Steps.Named("Requeue"))];

    public static IEnumerable<StepCase> Cases()
    {
        ProtocolStep[] appends = Steps.Named("Append", "RollPad", "RollTail"),
            leases = [.. Steps.Named("Lease").Except(Steps.Named("LeaseDeadLetter", "LeaseForfeited"))];
        return
        [
            .. Of("work", [.. appends, .. Steps.Named("Segment"), .. Steps.Named("Dequeue"), .. leases], Work),
            .. Of(
                "large batch",
                [.. Steps.Named("AppendLock", "AppendBatch", "AppendPublished", "AppendTail"), ProtocolStep.RollPadPublished,
                    ProtocolStep.SegmentAnnounced], LargeBatch),
            .. Of("properties", appends, Properties),
            .. Of("bias", [.. Steps.Named("Bias"), .. appends.Except([ProtocolStep.AppendBatchWritten])], Bias),
            .. Of("lease of the dead", [ProtocolStep.LeaseForfeited, ProtocolStep.LeaseTakenOver], LeaseOfTheDead),
            .. Of(
                "lease batch",
                [ProtocolStep.LeaseCellTaken, ProtocolStep.LeaseClaimed, ProtocolStep.LeaseTaken, ProtocolStep.LeaseCommitted], LeaseBatch),
            .. Of("dequeue batch", Steps.Named("Dequeue"), DequeueBatch),
            .. Of(
                "dead letters",
                [.. Steps.Named("LeaseDeadLetter", "LeaseGivingBack", "LeaseReason"), ProtocolStep.AppendPacked,
                    ProtocolStep.AppendPublished, ProtocolStep.StoreMetaWritten],
                DeadLetters),
            .. Of("requeue", Steps.Named("Requeue"), Requeue),
            .. Of("opening anew", [.. Steps.Named("AppendLock", "AppendPublished"), ProtocolStep.SegmentAnnounced], Reopening),
            .. Of(
                "making",
                [.. Steps.Named("Store").Except([ProtocolStep.StoreSchemaWritten]),
                    .. Steps.Named("SegmentCreated", "SegmentPre", "SegmentWritten", "SegmentRenamed")], Making),
            .. Of("deleting", Steps.Named("Deletion"), Deleting),
            .. Of("newer type", [ProtocolStep.StoreSchemaWritten], NewerType),
            .. Of("control file lost", [ProtocolStep.StoreControlMade, ProtocolStep.RecoveryWordsSet], ControlLost),
            .. Of("lock file lost", [ProtocolStep.LostLockClosed], LockLost),
            .. Of("subscription", Steps.Named("SubscriptionMade", "SubscriptionEnded", "SubscriptionMarkedGone"), Subscriptions),
            .. Of("exclusive", [ProtocolStep.SubscriptionClaimed], Exclusive),
            .. Of("repair", Repairs, Repair),
            .. Of("repair of a batch", Repairs, RepairOfBatch),
            .. Of("sync", Steps.Named("Sync"), Sync),
            .. Of("failed sync", Steps.Named("Failure"), FailedSync),
            .. Of("recovery", [ProtocolStep.RecoveryEpochWritten, ProtocolStep.RecoveryWordsSet], Recovery),
            .. Of(
                "recovery of a copy",
                [ProtocolStep.CopyDistrusted, ProtocolStep.RecoveryEpochWritten, ProtocolStep.RecoveryWordsSet], Copied),
            .. Of(
                "recovery of a torn end",
                [ProtocolStep.RecoveryLogRead, ProtocolStep.RecoverySegmentReplaced, ProtocolStep.RecoverySealed,
                    ProtocolStep.RecoveryEpochWritten, ProtocolStep.RecoveryWordsSet], TornEnd),
            .. Of("recovery of a batch that was begun",
                [ProtocolStep.RecoveryLogRead, ProtocolStep.RecoverySegmentReplaced, ProtocolStep.RecoverySealed,
                    ProtocolStep.RecoveryWordsSet], BegunBatch),
            .. Of("repair of damage", Steps.Named("Repair"), Repairing),
        ];
    }

    private static bool Work(StepPlay play, ProtocolStep step)
    {
        if (step != ProtocolStep.SegmentDeleted)
        {
            return Alone(play, () => play.Die(Everything(play), step));
        }
        // Segments are only deleted where more are passed than are needed anew.
        return Alone(play, () =>
        {
            play.Fill(200, 3000);
            return play.Die(new Job("consume") { Group = "default", InHand = 1 }, step, ends: true);
        });
    }

    private static bool LeaseOfTheDead(StepPlay play, ProtocolStep step)
    {
        play.Die(Everything(play), ProtocolStep.LeaseTaken);
        return Alone(play, () => play.Die(Leaser(), step, ends: true));
    }

    // With the campaign's own handle open meanwhile, or with nobody left to go on.
    private static bool Alone(StepPlay play, Func<bool> die)
    {
        if (play.Random.Next(2) == 0)
        {
            bool died = die();
            Meanwhile(play);
            using MappedQueue<Parcel> next = play.Open();
            play.GoOn(next);
            return died;
        }
        using MappedQueue<Parcel> queue = play.Open();
        play.Enqueue(queue, 1, 100);
        bool hasDied = die();
        Meanwhile(play);
        play.GoOn(queue);
        return hasDied;
    }

    // What the dead one published may be consumed before its append is repaired, so that consumers are ahead of the
    // tail; or others die as they repair it.
    private static void Meanwhile(StepPlay play)
    {
        if (play.Random.Next(2) == 0)
        {
            play.Die(Leaser(), ProtocolStep.RollForwardLockAcquired, 1, ends: true);
        }
        else
        {
            MendBadly(play);
        }
    }

    // Who mends may die of it too.
    private static void MendBadly(StepPlay play)
    {
        for (int deaths = play.Random.Next(3); deaths > 0; deaths--)
        {
            if (play.Random.Next(2) == 0)
            {
                play.Die(
                    Producer(play, 20), Pick(play, [.. Repairs, ProtocolStep.AppendPublished, ProtocolStep.AppendTailMoved]),
                    1 + play.Random.Next(3));
            }
            else
            {
                play.Die(
                    Leaser(), Pick(
                        play,
                        [ProtocolStep.LeaseTakenOver, ProtocolStep.LeaseTaken, ProtocolStep.LeaseCommitted, ProtocolStep.LeaseCellTaken]),
                    1 + play.Random.Next(3), ends: true);
            }
        }
    }

    private static bool LargeBatch(StepPlay play, ProtocolStep step) => Alone(play, () => play.Die(LargeBatches(), step));

    private static bool Properties(StepPlay play, ProtocolStep step) => Alone(play, () => play.Die(
        new Job("properties") { Options = [play.Size, "count=600"], Operations = [1, 2] }, step));

    // A worker that appends alone until the append lock is biased to it, or one that revokes the bias of this process.
    private static bool Bias(StepPlay play, ProtocolStep step)
    {
        const int enough = 600;
        if (step != ProtocolStep.BiasRevoked)
        {
            int at = step == ProtocolStep.BiasGranted || Steps.IsRare(step) ? 1 : enough + play.Time;
            return Alone(play, () => play.Die(AloneProducer(), step, at));
        }
        using MappedQueue<Parcel> queue = play.Open();
        play.Enqueue(queue, enough, 16);
        bool died = play.Die(AloneProducer(), step, 1);
        for (int deaths = play.Random.Next(3); deaths > 0; deaths--)
        {
            play.Die(AloneProducer(), Pick(play, Turns), 1 + play.Random.Next(2 * enough));
        }
        play.Enqueue(queue, 4 * enough, 16);
        play.GoOn(queue);
        return died;
    }

    private static Job AloneProducer() => new("produce") { Options = ["size=16", "count=3000"], Operations = [1] };

    private static bool LeaseBatch(StepPlay play, ProtocolStep step) => Alone(play, () =>
    {
        play.Fill(100, 200);
        return play.Die(new Job("lease-batch") { Options = ["batch=5"], Group = "default", TakesLeases = true }, step, ends: true);
    });

    private static bool DequeueBatch(StepPlay play, ProtocolStep step) => Alone(play, () =>
    {
        play.Fill(100, 200);
        return play.Die(new Job("consume-batch") { Options = ["batch=5"], Group = "default", InHand = 5 }, step, ends: true);
    });

    private static bool DeadLetters(StepPlay play, ProtocolStep step) => Alone(play, () =>
    {
        play.Fill(100, 200);
        return play.Die(new Job("sort") { Group = "default", TakesLeases = true }, step, ends: true);
    });

    // A message that was requeued comes behind later ones.
    private static bool Requeue(StepPlay play, ProtocolStep step) => Alone(play, () =>
    {
        play.Fill(100, 200);
        play.Trial.NoteGroup("default", "unordered");
        return play.Die(new Job("set-aside") { Group = "default", TakesLeases = true }, step, ends: true);
    });

    private static bool Reopening(StepPlay play, ProtocolStep step) => Alone(play, () => play.Die(
        new Job("reopen") { Options = ["size=3000", "batch=2", "count=200"], Operations = [1] }, step));

    // What the maker left decides nothing, nor does a repair of it: the next one makes the queue with segments of another size.
    private static bool Making(StepPlay play, ProtocolStep step)
    {
        QueueOptions others = play.Options;
        play.Options = others with { SegmentSize = 1 << 17 };
        bool died = play.Die(Producer(play, 10), step, 1);
        play.Options = others;
        if (play.Random.Next(2) == 0)
        {
            MappedQueue.Repair(play.Trial.Queue);
        }
        using MappedQueue<Parcel> queue = play.Open();
        play.GoOn(queue);
        return died;
    }

    // None of the deleted messages is there afterwards, neither for an opening nor for another deletion.
    private static bool Deleting(StepPlay play, ProtocolStep step)
    {
        using (MappedQueue<Parcel> deleted = play.Open())
        {
            deleted.Enqueue(new Parcel());
            deleted.Enqueue(new Parcel());
            using Subscription<Parcel> subscription = deleted.Subscribe("default");
            subscription.Receive().DeadLetter("deleted too");
        }
        bool died = play.Die(new Job("delete"), step, 1);
        play.Trial.Require(!MappedQueue.Exists(play.Trial.Queue), "a queue whose deletion had begun is there");
        if (play.Random.Next(2) == 0)
        {
            play.Trial.Require(!MappedQueue.Delete(play.Trial.Queue), "a queue was deleted twice");
            play.Trial.Require(
                !Directory.EnumerateDirectories(play.Trial.Root).Any(), "something of a deleted queue is left after another deletion");
        }
        using MappedQueue<Parcel> queue = play.Open();
        play.Trial.Require(queue.GetStatus().MessageCount == 0, "a message of a deleted queue is there");
        play.GoOn(queue);
        return died;
    }

    private static bool NewerType(StepPlay play, ProtocolStep step)
    {
        MappedQueue<PartOfParcel>.Open(play.Trial.Queue, play.Options).Dispose();
        bool died = play.Die(Producer(play, 10), step, 1);
        using MappedQueue<Parcel> queue = play.Open();
        play.GoOn(queue);
        return died;
    }

    private static bool ControlLost(StepPlay play, ProtocolStep step)
    {
        play.Fill(100, 1000);
        play.Die(Everything(play), Pick(play, Turns), 1 + play.Random.Next(5));
        LoseControl(play);
        return Recover(play, step);
    }

    private static bool LockLost(StepPlay play, ProtocolStep step)
    {
        play.Fill(100, 1000);
        // One that dies with the append lock cannot be told from a living one then.
        play.Die(Everything(play), ProtocolStep.AppendLockReleased, 1 + play.Random.Next(5));
        File.Delete(Path.Combine(play.Trial.Queue, StoreFormat.LockName));
        return Recover(play, step);
    }

    private static void LoseControl(StepPlay play) => File.Delete(Path.Combine(play.Trial.Queue, StoreFormat.ControlName));

    private static bool Subscriptions(StepPlay play, ProtocolStep step)
    {
        using MappedQueue<Parcel> queue = play.Open();
        bool died = play.Die(new Job("subscribe"), step, 1);
        play.Enqueue(queue, 200, 1000);
        MendBadly(play);
        play.GoOn(queue);
        queue.DeleteSubscription("audit");
        return died;
    }

    private static bool Exclusive(StepPlay play, ProtocolStep step)
    {
        play.Fill(20, 200);
        bool died = play.Die(new Job("alone") { Group = "default", TakesLeases = true }, step, 1);
        MendBadly(play);
        using MappedQueue<Parcel> queue = play.Open();
        play.GoOn(queue);
        return died;
    }

    private static bool Repair(StepPlay play, ProtocolStep step) => Alone(play, () =>
    {
        ProtocolStep first = Pick(
            play, step == ProtocolStep.RollForwardTailMoved ? [ProtocolStep.AppendPublished, ProtocolStep.RollPadPublished] : Reached);
        return play.Die(Everything(play), first, 1 + play.Random.Next(5)) && play.Die(Producer(play, 10), step, 1);
    });

    // The tail is walked through a batch record by record: the repairer dies behind one of them.
    private static bool RepairOfBatch(StepPlay play, ProtocolStep step) => Alone(play, () =>
    {
        int batch = 2 + play.Random.Next(5);
        Job producer = new("batch") { Options = [play.Size, $"batch={batch}"], Operations = [batch], Batch = batch };
        return play.Die(producer, ProtocolStep.AppendPublished, 2 + play.Random.Next(9))
            && play.Die(Producer(play, 10), step, step == ProtocolStep.RollForwardTailMoved ? 1 + play.Random.Next(batch + 1) : 1);
    });

    private static bool Sync(StepPlay play, ProtocolStep step)
    {
        play.Options = play.Options with { Durability = Durability.Commit };
        return Alone(play, () => play.Die(Everything(play) with { Options = [.. Everything(play).Options, "durability=Commit"] }, step));
    }

    // The queue takes nothing any more; it is mended when nobody has it open.
    private static bool FailedSync(StepPlay play, ProtocolStep step)
    {
        play.Options = play.Options with { Durability = Durability.Commit };
        int refused = 2 + play.Random.Next(10);
        Job producer = Producer(play, 100);
        bool died = play.Die(
            producer with { Options = [.. producer.Options, "durability=Commit"] }, step, 1, failSync: $"{refused}", mustLive: false);
        using MappedQueue<Parcel> queue = play.Open();
        play.GoOn(queue);
        return died;
    }

    private static bool Recovery(StepPlay play, ProtocolStep step)
    {
        play.Fill(50, 1000);
        play.Die(Everything(play), Pick(play, [.. Turns, ProtocolStep.LeaseTaken, ProtocolStep.LeaseReturned]), 1 + play.Random.Next(5));
        play.PretendRestart();
        return Recover(play, step);
    }

    // Nothing was leased, so that nothing comes again.
    private static bool Copied(StepPlay play, ProtocolStep step)
    {
        play.Fill(50, 1000);
        string control = Path.Combine(play.Trial.Queue, StoreFormat.ControlName), copy = control + ".copy";
        File.Copy(control, copy);
        File.Move(copy, control, overwrite: true);
        return Recover(play, step);
    }

    // Something of the next record had reached the disk, and not all.
    private static bool TornEnd(StepPlay play, ProtocolStep step)
    {
        play.Fill(50, 1000);
        play.Die(Everything(play), ProtocolStep.AppendPacked, 1 + play.Random.Next(5));
        byte[] control = Site.Read(Path.Combine(play.Trial.Queue, StoreFormat.ControlName));
        long tail = BitConverter.ToInt64(control, ControlFormat.TailOffset), size = play.Options.SegmentSize!.Value;
        StepPlay.Write(
            Path.Combine(play.Trial.Queue, StoreFormat.SegmentName(tail & ~(size - 1))), tail & (size - 1),
            [0xEE, 0x11, 0, 0, 0x77, 0x77, 0x77, 0x01]);
        play.PretendRestart();
        return Recover(play, step);
    }

    // Who recovers dies among the segments of a batch that nobody announced; then the machine goes down,
    // or the control file is lost, once more.
    private static bool BegunBatch(StepPlay play, ProtocolStep step)
    {
        play.Fill(50, 1000);
        play.Die(LargeBatches(), ProtocolStep.AppendBatchWritten, 1 + play.Random.Next(3));
        LoseWords(play);
        return Recover(play, step, step == ProtocolStep.RecoverySegmentReplaced ? play.Time : 1, LoseWords);
    }

    private static void LoseWords(StepPlay play)
    {
        if (play.Random.Next(2) == 0)
        {
            LoseControl(play);
        }
        else
        {
            play.PretendRestart();
        }
    }

    // The first segment has lost its header, which says nothing that its name and its records do not: no message is lost.
    private static bool Repairing(StepPlay play, ProtocolStep step)
    {
        play.Fill(50, 1000);
        StepPlay.Write(Path.Combine(play.Trial.Queue, StoreFormat.SegmentName(0)), 0, new byte[SegmentFormat.PageSize]);
        bool died = play.Die(new Job("repair"), step, 1);
        MappedQueue.Repair(play.Trial.Queue);
        using MappedQueue<Parcel> queue = play.Open();
        play.GoOn(queue);
        return died;
    }

    private static bool Recover(StepPlay play, ProtocolStep step, int time = 1, Action<StepPlay>? then = null)
    {
        bool died = play.Die(Producer(play, 10), step, time);
        then?.Invoke(play);
        using MappedQueue<Parcel> queue = play.Open();
        play.GoOn(queue);
        play.LockHeld = false;
        return died;
    }

    private static Job Everything(StepPlay play)
    {
        int batch = 2 + (play.Time % 4);
        return new Job("work")
        {
            Options = [play.Size, $"batch={batch}", "count=1500"],
            Operations = [1, batch],
            Group = "default",
            TakesLeases = true,
        };
    }

    private static Job LargeBatches() =>
        new("batch") { Options = ["size=3000", $"batch={Large}", $"count={20 * Large}"], Operations = [Large], Batch = Large };

    private static Job Producer(StepPlay play, int count) => new("produce") { Options = [play.Size, $"count={count}"], Operations = [1] };

    private static Job Leaser() => new("lease") { Group = "default", TakesLeases = true };

    private static ProtocolStep Pick(StepPlay play, ProtocolStep[] steps) => steps[play.Random.Next(steps.Length)];
}
