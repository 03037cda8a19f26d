using BlitQueue.Log;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// A backup of what is in use is a whole queue: with everything that was acknowledged before, and each subscription where it was.
/// </summary>
public sealed class BackupTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    private readonly Site _site = new();
    private readonly Parcel _parcel = new();
    private int _number;

    private string Target => Path.Combine(_site.Root, "backup");

    private string Unfinished => Target + ".unfinished";

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_copy_has_all_messages_subscriptions_leases_letters_and_properties(bool isOtherBoot)
    {
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 200, 900);
        queue.EnqueueBatch([new Parcel().Fill(1, 200, 10), new Parcel().Fill(1, 201, 150_000)]);
        queue.Enqueue(new Parcel().Fill(1, 202, 10), new MessageProperties { Label = "labelled" });
        using Subscription<Parcel> audit = queue.Subscribe("audit");
        Assert.Equal(Numbers(0, 150), Take(queue.Subscribe("default"), 150));
        Lease<Parcel> first = audit.Receive(), second = audit.Receive();
        audit.Receive().Commit();
        audit.Receive().DeadLetter("bad");
        second.Abandon();
        var seen = new List<QueueProgress>();
        BackupReport report = MappedQueue.Backup(_site.Queue, Target, new Told(seen));
        first.Commit();
        Assert.Empty(report.Damaged);
        Assert.True(report.Verified.IsSound);
        Assert.Equal((_site.Queue, Target, Target), (report.Path, report.Target, report.Verified.Path));
        Assert.All(
            report.Verified.Subscriptions,
            one => Assert.StartsWith(Path.Combine(Target, ""), Path.Combine(one.Queue, ""), StringComparison.Ordinal));
        Assert.Equal(seen[^1].Total, seen[^1].Bytes);
        Assert.False(Directory.Exists(Unfinished));
        Assert.DoesNotContain(
            Directory.GetFiles(Target),
            static path => path.EndsWith(".lock", StringComparison.Ordinal) && !path.EndsWith("queue.lock", StringComparison.Ordinal));
        if (isOtherBoot)
        {
            using FileStream control = File.OpenWrite(Path.Combine(Target, StoreFormat.ControlName));
            control.Position = ControlFormat.BootOffset;
            control.Write("another boot of this machine"u8);
        }
        using var copy = MappedQueue<Parcel>.Open(Target);
        using Subscription<Parcel> audited = copy.Subscribe("audit");
        var properties = new MessageProperties();
        Assert.Equal(Numbers(150, 203), Take(copy.Subscribe("default")));
        // What was leased or given back comes again, and nothing that was consumed.
        Assert.Equal([0, 1, .. Numbers(4, 203)], Take(audited).Order());
        DeadLetter<Parcel>? letter = null;
        Assert.True(audited.DeadLetters.TryTake(ref letter));
        Assert.Equal((3, "bad"), (letter!.Message.Number, letter.Reason));
        copy.Enqueue(new Parcel().Fill(1, 1000, 10));
        Assert.Equal([1000], Take(copy.Subscribe("default")));
        Assert.Equal([1000], Take(audited));
        // The queue itself goes on.
        Fill(queue, 10, 10);
        Assert.Equal(Numbers(150, 203), Take(queue.Subscribe("default"), 53));
    }

    [Fact]
    public void A_copy_of_a_queue_under_load_has_everything_that_was_acknowledged_before_and_no_gap()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        using Subscription<Parcel> slow = queue.Subscribe("slow"), leased = queue.Subscribe("leased");
        long acknowledged = -1, taken = -1, committed = -1;
        using var stop = new CancellationTokenSource();
        Thread producer = Run(() =>
        {
            var random = new Random(1);
            for (long number = 0; !stop.IsCancellationRequested;)
            {
                if (random.Next(5) == 0)
                {
                    queue.EnqueueBatch(
                        [new Parcel().Fill(1, number, random.Next(3000)), new Parcel().Fill(1, number + 1, random.Next(100_000))]);
                    number += 2;
                }
                else
                {
                    queue.Enqueue(new Parcel().Fill(1, number++, random.Next(3000)));
                }
                Volatile.Write(ref acknowledged, number - 1);
                while (number - Volatile.Read(ref taken) > 2000 && !stop.IsCancellationRequested)
                {
                    Thread.Sleep(1);
                }
            }
        });
        Thread consumer = Run(() =>
        {
            Parcel? parcel = null;
            while (true)
            {
                slow.Dequeue(ref parcel, stop.Token);
                Volatile.Write(ref taken, parcel!.Number);
                queue.Dequeue(ref parcel, stop.Token);
            }
        });
        Thread lessee = Run(() =>
        {
            while (true)
            {
                using Lease<Parcel> lease = leased.Receive(stop.Token);
                Parcel? parcel = null;
                lease.ReadInto(ref parcel);
                lease.Commit();
                Volatile.Write(ref committed, parcel!.Number);
            }
        });
        try
        {
            for (int i = 0; i < 12; i++)
            {
                Thread.Sleep(30 * (i % 3));
                long last = Volatile.Read(ref acknowledged), first = Volatile.Read(ref taken), done = Volatile.Read(ref committed);
                MappedQueue.Backup(_site.Queue, Target);
                AssertWhole(last, first, Volatile.Read(ref taken) + 1, done);
                Directory.Delete(Target, recursive: true);
            }
        }
        finally
        {
            stop.Cancel();
            producer.Join();
            consumer.Join();
            lessee.Join();
        }
    }

    private void AssertWhole(long last, long takenBefore, long takenAfter, long committedBefore)
    {
        using MappedQueue<Parcel> copy = OpenCopy();
        Assert.Null(copy.Recovered);
        QueueStatus status = copy.GetStatus();
        using Subscription<Parcel> slow = copy.Subscribe("slow"), leased = copy.Subscribe("leased");
        copy.Enqueue(new Parcel().Fill(9, -5, 10));
        long[] slowly = Take(slow), byLease = Take(leased);
        Assert.Equal([-5L], [slowly[^1]]);
        Assert.Equal([-5L], [byLease[^1]]);
        slowly = slowly[..^1];
        byLease = [.. byLease[..^1].Order()];
        Assert.Equal(status.Subscriptions.Single(static one => one.Name == "slow").Lag, slowly.Length);
        Assert.True(
            slowly.Length == 0 || (slowly[0] > takenBefore && slowly[0] <= takenAfter + 1),
            $"{takenBefore}, {slowly.FirstOrDefault()}, {takenAfter}");
        Assert.Equal(slowly, Enumerable.Range(0, slowly.Length).Select(i => slowly[0] + i));
        // The lease that was open comes again; what was committed before does not.
        Assert.Equal(byLease, Enumerable.Range(0, byLease.Length).Select(i => byLease[0] + i));
        Assert.True(byLease.Length == 0 || byLease[0] > committedBefore, $"{committedBefore}, {byLease.FirstOrDefault()}");
        long end = Math.Max(slowly.Length > 0 ? slowly[^1] : takenAfter, byLease.Length > 0 ? byLease[^1] : -1);
        Assert.True(end >= last, $"{end}, {last}");
    }

    [Fact]
    public void A_copy_of_what_several_processes_use_lacks_nothing_of_any_of_them()
    {
        using MappedQueue<Parcel> queue = Open();
        queue.Subscribe("all").Dispose();
        // At a rate: each copy has all that was enqueued while the one before was made, so without one the next is a multiple of it.
        using var producer = Processes.Peer.Start(_site, "produce", "producer=1", "size=2000", "burst=1");
        using var batches = Processes.Peer.Start(_site, "batch", "producer=2", "size=300", "batch=5", "burst=1");
        using var consumer = Processes.Peer.Start(_site, "consume");
        for (int i = 0; i < 8; i++)
        {
            Thread.Sleep(50);
            long end = queue.GetStatus().Next.Value;
            Assert.Empty(MappedQueue.Backup(_site.Queue, Target).Damaged);
            using (var copy = MappedQueue<Parcel>.Open(Target))
            {
                Assert.True(copy.GetStatus().Next.Value >= end);
                var next = new Dictionary<int, long>();
                Parcel? parcel = null;
                using Subscription<Parcel> all = copy.Subscribe("all");
                while (all.TryDequeue(ref parcel))
                {
                    Assert.True(parcel!.IsIntact());
                    Assert.Equal(next.GetValueOrDefault(parcel.Producer), parcel.Number);
                    next[parcel.Producer] = parcel.Number + 1;
                }
            }
            Directory.Delete(Target, recursive: true);
        }
    }

    [Fact]
    public void Each_transaction_is_in_all_of_a_stores_copies_or_in_none()
    {
        string root = Path.Combine(_site.Root, "store");
        using var store = MappedStore.Open(root, Small);
        MappedQueue<Parcel> from = store.OpenQueue<Parcel>("from"), left = store.OpenQueue<Parcel>("left"),
            right = store.OpenQueue<Parcel>("right");
        Fill(from, 20_000, 100);
        using var stop = new CancellationTokenSource();
        Thread transferrer = Run(() =>
        {
            Parcel? parcel = null;
            while (!stop.IsCancellationRequested)
            {
                using QueueTransaction transaction = store.Begin();
                if (!transaction.TryReceive(from, ref parcel))
                {
                    return;
                }
                transaction.Enqueue(left, parcel!);
                transaction.Enqueue(right, parcel!);
                transaction.Commit();
            }
        });
        try
        {
            for (int i = 0; i < 10; i++)
            {
                MappedQueue.Backup(root, Target);
                using (var copy = MappedStore.Open(Target, Small))
                {
                    long[] rest = Take(copy.OpenQueue<Parcel>("from").Subscribe("default")),
                        toLeft = Take(copy.OpenQueue<Parcel>("left").Subscribe("default"));
                    Assert.Equal(toLeft, Take(copy.OpenQueue<Parcel>("right").Subscribe("default")));
                    Assert.Equal(Numbers(0, 20_000), toLeft.Concat(rest));
                }
                Directory.Delete(Target, recursive: true);
            }
        }
        finally
        {
            stop.Cancel();
            transferrer.Join();
        }
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPublished), "produce")]
    [InlineData(nameof(ProtocolStep.AppendPublished), "batch")]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten), "batch")]
    [InlineData(nameof(ProtocolStep.RollPadPublished), "produce")]
    [InlineData(nameof(ProtocolStep.AppendPacked), "produce")]
    public void What_a_dead_producer_published_and_was_consumed_is_in_front_of_no_copys_end(string step, string command)
    {
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 10, 1000);
        using var peer = Processes.Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, command, "producer=2", "size=1500", "batch=7");
        peer.WaitForDeath();
        long[] taken = Take(queue.Subscribe("default"));
        MappedQueue.Backup(_site.Queue, Target);
        using var copy = MappedQueue<Parcel>.Open(Target);
        Assert.Empty(Take(copy.Subscribe("default")));
        copy.Subscribe("default").Seek(QueuePosition.Oldest);
        Assert.Equal(taken, Take(copy.Subscribe("default")));
        copy.Enqueue(new Parcel().Fill(1, 1000, 10));
        Assert.Equal([1000], Take(copy.Subscribe("default")));
    }

    [Fact]
    public void A_killed_backup_leaves_nothing_that_looks_finished_and_goes_with_the_next()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 30_000, 1000);
        }
        for (int time = 1; time < 4; time++)
        {
            using var peer = Processes.Peer.Start(_site, "backup", $"target={Target}");
            Assert.True(
                SpinWait.SpinUntil(
                    () => Directory.Exists(Unfinished) && Directory.GetFiles(Unfinished).Length > 20 * time, Processes.Peer.Patience));
            // Or it might be ready before it is asked about.
            peer.Stop();
            Assert.Contains(
                "at work", Assert.Throws<QueueException>(() => MappedQueue.Backup(_site.Queue, Target)).Message, StringComparison.Ordinal);
            peer.Kill();
            peer.WaitForDeath();
            Assert.False(Directory.Exists(Target));
            Assert.True(Directory.Exists(Unfinished));
        }
        Assert.Equal(30_000, MappedQueue.Backup(_site.Queue, Target).Verified.MessageCount);
        Assert.False(Directory.Exists(Unfinished));
    }

    [Fact]
    public void Nothing_stays_behind_where_it_is_cancelled_and_nothing_is_overwritten()
    {
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 1000, 1000);
        using var cancelled = new CancellationTokenSource();
        Assert.Throws<OperationCanceledException>(() => MappedQueue.Backup(_site.Queue, Target, new Ender(cancelled), cancelled.Token));
        Assert.False(Path.Exists(Target) || Path.Exists(Unfinished));
        Directory.CreateDirectory(Target);
        Assert.Contains(
            "already", Assert.Throws<QueueException>(() => MappedQueue.Backup(_site.Queue, Target)).Message, StringComparison.Ordinal);
        Directory.Delete(Target);
        Directory.CreateDirectory(Unfinished);
        Assert.Contains(
            "no backup has left it", Assert.Throws<QueueException>(() => MappedQueue.Backup(_site.Queue, Target)).Message,
            StringComparison.Ordinal);
        Assert.Throws<QueueException>(() => MappedQueue.Backup(_site.Queue, Path.Combine(_site.Queue, "copy")));
        Assert.Throws<QueueException>(() => MappedQueue.Backup(Path.Combine(_site.Root, "nothing"), Target));
        Assert.Throws<QueueException>(() => MappedQueue.Backup(_site.Queue, Path.Combine(_site.Root, "nothing", "backup")));
    }

    [Fact]
    public void Damage_is_told_and_what_is_intact_is_copied()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 300, 900);
        }
        string segment = Path.GetFileName(Directory.GetFiles(_site.Queue, "segment-*").Order(StringComparer.Ordinal).ElementAt(1));
        _site.Overwrite(segment, 20_000, [1, 2, 3, 4]);
        BackupReport report = MappedQueue.Backup(_site.Queue, Target);
        Assert.Equal(Path.Combine(Target, segment), Assert.Single(report.Damaged).File);
        Assert.Equal(299, report.Verified.MessageCount);
        Assert.Contains("hole", Assert.Single(report.Verified.Findings).What, StringComparison.Ordinal);
    }

    // The time that a subscription may be without consumers is not over because a backup lay somewhere for longer.
    [Theory]
    [InlineData(true, true)]
    [InlineData(false, true)]
    [InlineData(true, false)]
    [InlineData(false, false)]
    public void In_a_copy_the_time_of_a_subscription_that_expires_begins_anew(bool isInUse, bool isBackup)
    {
        var hourly = new SubscriptionOptions { ExpiresAfter = TimeSpan.FromHours(1) };
        using (MappedQueue<Parcel> queue = Open())
        {
            Subscription<Parcel> report = queue.Subscribe("report", hourly),
                watch = queue.Subscribe("watch", new SubscriptionOptions { Ephemeral = true });
            if (!isInUse)
            {
                report.Dispose();
            }
            Fill(queue, 3, 10);
            if (isBackup)
            {
                MappedQueue.Backup(_site.Queue, Target);
            }
            else
            {
                CopyFiles();
            }
        }
        Assert.Equal(!isBackup, File.Exists(Path.Combine(Target, "subscription-watch")));
        GoBack(TimeSpan.FromDays(30));
        MappedQueue<Parcel>.Open(Target).Dispose();
        using (var copy = MappedQueue<Parcel>.Open(Target))
        {
            Assert.Equal(["default", "report"], copy.GetStatus().Subscriptions.Select(static one => one.Name));
            using Subscription<Parcel> report = copy.Subscribe("report");
            Assert.Equal(Numbers(0, 3), Take(report));
        }
        // From now on it counts.
        GoBack(TimeSpan.FromDays(30));
        using var late = MappedQueue<Parcel>.Open(Target);
        Assert.Equal("default", Assert.Single(late.GetStatus().Subscriptions).Name);
    }

    private MappedQueue<Parcel> OpenCopy() => MappedQueue<Parcel>.Open(Target);

    private void CopyFiles()
    {
        Directory.CreateDirectory(Target);
        foreach (string file in Directory.GetFiles(_site.Queue))
        {
            File.Copy(file, Path.Combine(Target, Path.GetFileName(file)));
        }
    }

    // What the copy says of when somebody consumed last, as if it had been written so long before.
    private void GoBack(TimeSpan time)
    {
        using FileStream file = File.Open(Path.Combine(Target, "subscription-report"), FileMode.Open, FileAccess.ReadWrite);
        foreach ((int offset, long back) in new[] { (SubscriptionFormat.IdleOffset, time.Ticks),
            (SubscriptionFormat.IdleMillisecondsOffset, (long)time.TotalMilliseconds) })
        {
            byte[] word = new byte[sizeof(long)];
            file.Position = offset;
            file.ReadExactly(word);
            long noted = BitConverter.ToInt64(word);
            file.Position = offset;
            file.Write(BitConverter.GetBytes(noted == 0 ? 0 : noted - back));
        }
    }

    // Whoever moves letters back into the queue while it is copied: each is in the copy, as a letter or as a message.
    [Fact]
    public void A_letter_that_is_moved_back_meanwhile_is_in_the_copy()
    {
        const int Letters = 40;
        using MappedQueue<Parcel> queue = Open();
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Fill(queue, Letters, 10);
        MoveToDeadLetters(subscription);
        using var stop = new CancellationTokenSource();
        Thread mover = Run(() =>
        {
            DeadLetter<Parcel>? letter = null;
            while (!stop.IsCancellationRequested)
            {
                while (subscription.DeadLetters.TryTake(ref letter))
                {
                    queue.Enqueue(letter!.Message);
                }
                MoveToDeadLetters(subscription);
            }
        });
        try
        {
            for (int i = 0; i < 25; i++)
            {
                MappedQueue.Backup(_site.Queue, Target);
                using (var copy = MappedQueue<Parcel>.Open(Target))
                {
                    using Subscription<Parcel> copied = copy.Subscribe("default");
                    var numbers = new HashSet<long>(Take(copied));
                    DeadLetter<Parcel>? letter = null;
                    while (copied.DeadLetters.TryTake(ref letter))
                    {
                        numbers.Add(letter!.Message.Number);
                    }
                    // One may be in the mover's hands.
                    Assert.True(numbers.Count >= Letters - 1, $"{numbers.Count} of {Letters} in copy {i}");
                }
                Directory.Delete(Target, recursive: true);
            }
        }
        finally
        {
            stop.Cancel();
            mover.Join();
        }
    }

    private static void MoveToDeadLetters(Subscription<Parcel> subscription)
    {
        while (subscription.TryReceive(out Lease<Parcel> lease))
        {
            lease.DeadLetter("bad");
        }
    }

    // Several at once to one target, some of which are given up: who is told that it is done has a whole copy.
    [Fact]
    public async Task Of_backups_to_one_target_at_once_each_that_ends_is_whole()
    {
        using (MappedQueue<Parcel> queue = Open())
        {
            Fill(queue, 300, 900);
        }
        int done = 0;
        long until = Environment.TickCount64 + 8000;
        await Task.WhenAll(Enumerable.Range(0, 4).Select(seed => Task.Run(() =>
        {
            for (var random = new Random(seed); Environment.TickCount64 < until;)
            {
                using var cancelled = new CancellationTokenSource();
                try
                {
                    BackupReport report = MappedQueue.Backup(
                        _site.Queue, Target, random.Next(3) > 0 ? new EnderAfter(cancelled, random.Next(6)) : null, cancelled.Token);
                    Assert.Equal(300, report.Verified.MessageCount);
                    string mine = $"{Target}-{Interlocked.Increment(ref done)}";
                    Directory.Move(Target, mine);
                    VerifyReport verified = MappedQueue.Verify(mine);
                    Assert.True(verified is { IsSound: true, MessageCount: 300 }, string.Join("; ", verified.Findings));
                    Assert.Equal(["default"], verified.Subscriptions.Select(static one => one.Name));
                    Directory.Delete(mine, recursive: true);
                }
                catch (Exception exception) when (exception is QueueException or OperationCanceledException)
                {
                }
            }
        })));
        Assert.True(done > 0);
        Assert.False(Directory.Exists(Unfinished));
    }

    private sealed class EnderAfter(CancellationTokenSource cancelled, int files) : IProgress<QueueProgress>
    {
        private int _left = files;

        public void Report(QueueProgress value)
        {
            if (_left-- == 0)
            {
                cancelled.Cancel();
            }
        }
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPacked))]
    [InlineData(nameof(ProtocolStep.AppendPublished))]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten))]
    public void A_producer_that_is_stopped_in_an_append_delays_no_backup(string step)
    {
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 10, 1000);
        using var peer = Processes.Peer.StartToStop(
            _site, Enum.Parse<ProtocolStep>(step), 3, step == nameof(ProtocolStep.AppendBatchWritten) ? "batch" : "produce", "producer=2",
            "size=1500", "batch=7");
        peer.WaitForStop();
        long end = queue.GetStatus().Next.Value;
        BackupReport report = MappedQueue.Backup(_site.Queue, Target);
        Assert.True(report.Verified.IsSound && report.Damaged.Count == 0);
        using var copy = MappedQueue<Parcel>.Open(Target);
        Assert.True(copy.GetStatus().Next.Value >= end);
        copy.Enqueue(new Parcel().Fill(1, 1000, 10));
        Assert.Equal(1000, Take(copy.Subscribe("default"))[^1]);
    }

    [Fact]
    public void An_express_queue_is_copied_to_the_disk()
    {
        string name = $"backup-{Guid.NewGuid():N}";
        try
        {
            using var queue = MappedQueue<Parcel>.OpenExpress(name);
            Fill(queue, 3000, 900);
            Take(queue.Subscribe("default"), 100);
            BackupReport report = MappedQueue.Backup(queue.Path, Target);
            Assert.True(report.Verified.IsSound && report.Damaged.Count == 0);
            using var copy = MappedQueue<Parcel>.Open(Target, new QueueOptions { Durability = Durability.Commit });
            Assert.Equal(Numbers(100, 3000), Take(copy.Subscribe("default")));
            copy.Enqueue(new Parcel().Fill(1, 7, 10));
        }
        finally
        {
            MappedQueue<Parcel>.DeleteExpress(name);
        }
    }

    [TmpfsFact]
    public void A_full_disk_is_told_and_nothing_stays_behind()
    {
        using MappedQueue<Parcel> queue = Open();
        Fill(queue, 3000, 900);
        string disk = Directory.CreateDirectory(Path.Combine(_site.Root, "disk")).FullName;
        TmpfsFactAttribute.Mount(disk);
        try
        {
            Assert.Throws<QueueFullException>(() => MappedQueue.Backup(_site.Queue, Path.Combine(disk, "copy")));
            Assert.Empty(Directory.GetFileSystemEntries(disk));
        }
        finally
        {
            TmpfsFactAttribute.Unmount(disk);
        }
    }

    [Fact]
    public void Lanes_are_copied_and_the_rights_are_those_of_the_queue()
    {
        string lanes = Path.Combine(_site.Root, "lanes");
        UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
        using (var open = MappedLanes<Parcel>.Open(lanes, 2, Small with { FileMode = mode }))
        {
            Fill(open[0], 10, 10);
            Fill(open[1], 20, 10);
        }
        MappedQueue.Backup(lanes, Target);
        foreach (string path in Directory.GetFileSystemEntries(Target, "*", SearchOption.AllDirectories)
            .Where(static path => !path.EndsWith("lanes.meta", StringComparison.Ordinal)))
        {
            UnixFileMode expected = Directory.Exists(path)
                ? mode | UnixFileMode.UserExecute | UnixFileMode.GroupExecute | UnixFileMode.SetGroup
                : mode;
            Assert.Equal((path, expected), (path, QueueBackup.RightsOf(path)));
        }
        Assert.Equal(QueueBackup.RightsOf(lanes), QueueBackup.RightsOf(Target));
        using var copy = MappedLanes<Parcel>.Open(Target);
        Assert.Equal((2, 10L, 20L), (copy.Count, copy[0].GetStatus().MessageCount, copy[1].GetStatus().MessageCount));
    }

    private MappedQueue<Parcel> Open() => MappedQueue<Parcel>.Open(_site.Queue, Small);

    private void Fill(MappedQueue<Parcel> queue, int count, int length)
    {
        for (int i = 0; i < count; i++)
        {
            queue.Enqueue(_parcel.Fill(1, _number++, length));
        }
    }

    private static long[] Take(Subscription<Parcel> subscription, int most = int.MaxValue)
    {
        List<long> numbers = [];
        Parcel? parcel = null;
        while (numbers.Count < most && subscription.TryDequeue(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            numbers.Add(parcel.Number);
        }
        return [.. numbers];
    }

    private static long[] Numbers(int from, int to) => [.. Enumerable.Range(from, to - from).Select(static number => (long)number)];

    private static Thread Run(Action work)
    {
        var thread = new Thread(() =>
        {
            try
            {
                work();
            }
            catch (OperationCanceledException)
            {
            }
        });
        thread.Start();
        return thread;
    }

    public void Dispose() => _site.Dispose();

    private sealed class Told(List<QueueProgress> seen) : IProgress<QueueProgress>
    {
        public void Report(QueueProgress value) => seen.Add(value);
    }

    private sealed class Ender(CancellationTokenSource cancelled) : IProgress<QueueProgress>
    {
        public void Report(QueueProgress value) => cancelled.Cancel();
    }
}
