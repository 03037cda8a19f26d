using BlitQueue.Log;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Calls that open, make, delete or repair: they wait for another process that does so, end by their token, and have done nothing then.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class CancelledWaitTests : IDisposable
{
    private static readonly QueueOptions Patient = new() { StallTimeout = TimeSpan.FromMinutes(5) };

    private readonly Site _site = new();

    private string Lanes => Path.Combine(_site.Root, "lanes");

    private string Store => Path.Combine(_site.Root, "store");

    [Theory]
    [InlineData("open")]
    [InlineData("delete")]
    [InlineData("repair")]
    [InlineData("status")]
    [InlineData("backup")]
    public void While_a_stopped_process_opens_the_queue(string what)
    {
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue))
        {
            queue.Enqueue(new Parcel().Fill(1, 0, 10));
        }
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot"u8.ToArray());
        using Peer stopped = Peer.StartToStop(_site, ProtocolStep.RecoveryLogRead, 1, "produce", "count=0").WaitForStop();
        string[] files = _site.Files(), beside = Directory.GetFileSystemEntries(_site.Root);
        string target = Path.Combine(_site.Root, "target");
        AssertCancelled(_site.Queue, token => Do(what, token));
        Assert.Equal(files, _site.Files());
        Assert.Equal(beside.Order(), Directory.GetFileSystemEntries(_site.Root).Order());
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());

        Do(what, CancellationToken.None);
        Assert.Equal(what != "delete", MappedQueue.Exists(_site.Queue));
        using var again = MappedQueue<Parcel>.Open(_site.Queue, Patient);
        Assert.Equal(what == "delete" ? 0 : 1, again.GetStatus().MessageCount);

        void Do(string call, CancellationToken token)
        {
            switch (call)
            {
                case "open":
                    MappedQueue<Parcel>.Open(_site.Queue, Patient, token).Dispose();
                    break;
                case "delete":
                    Assert.True(MappedQueue.Delete(_site.Queue, token));
                    break;
                case "repair":
                    MappedQueue.Repair(_site.Queue, token);
                    break;
                case "status":
                    MappedQueue.GetStatus(_site.Queue, token);
                    break;
                default:
                    MappedQueue.Backup(_site.Queue, target, cancellationToken: token);
                    break;
            }
        }
    }

    [Fact]
    public async Task While_a_stopped_process_makes_a_subscription()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Patient);
        using Peer stopped = Peer.StartToStop(_site, ProtocolStep.SubscriptionMade, 1, "subscribe").WaitForStop();
        AssertCancelled(_site.Queue, token => queue.Subscribe("mine", cancellationToken: token));
        AssertCancelled(_site.Queue, token => queue.DeleteSubscription("default", token));
        // Also behind another thread of the same handle, which waits with more patience.
        Task<Subscription<Parcel>> patient = Task.Run(() => queue.Subscribe("patient"));
        await Assert.ThrowsAsync<TimeoutException>(() => patient.WaitAsync(TimeSpan.FromMilliseconds(100)));
        AssertCancelled(null, token => queue.Subscribe("mine", cancellationToken: token));
        AssertCancelled(null, token => queue.DeleteSubscription("default", token));
        Assert.DoesNotContain("mine", MappedQueue.ListSubscriptions(_site.Queue));
        // What needs no lock goes on: it takes no token.
        queue.Subscribe("default").Dispose();

        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        (await patient.WaitAsync(Peer.Patience)).Dispose();
        Assert.Equal(["default", "patient"], MappedQueue.ListSubscriptions(_site.Queue));
        queue.Subscribe("mine", cancellationToken: CancellationToken.None).Dispose();
        Assert.True(queue.DeleteSubscription("default"));
    }

    [Fact]
    public void While_another_handle_opens_the_lanes_or_one_of_them()
    {
        MappedLanes<Parcel>.Open(Lanes, 2).Dispose();
        foreach (string directory in (string[])[Lanes, Path.Combine(Lanes, "lane-1")])
        {
            using (Locked(Path.Combine(directory, StoreFormat.LockName)))
            {
                AssertCancelled(directory, token => MappedLanes<Parcel>.Open(Lanes, options: Patient, cancellationToken: token));
            }
        }
        AssertSoonClosed(Lanes);
        using var lanes = MappedLanes<Parcel>.Open(Lanes);
        using (Locked(Path.Combine(Lanes, "lane-1", StoreFormat.LockName), StoreFormat.MaintenanceLockByte))
        {
            AssertCancelled(Lanes, token => lanes.Subscribe("mine", cancellationToken: token));
            AssertCancelled(Lanes, token => lanes.DeleteSubscription("mine", token));
        }
        lanes.Subscribe("mine").Dispose();
    }

    [Fact]
    public async Task While_another_handle_opens_the_store_or_its_queue()
    {
        MappedStore.Open(Store).Dispose();
        using (Locked(Path.Combine(Store, TransactionFormat.LockName)))
        {
            AssertCancelled(Store, token => MappedStore.Open(Store, Patient, token));
        }
        AssertSoonClosed(Store);
        using var store = MappedStore.Open(Store, Patient);
        store.OpenQueue<Parcel>("first").Dispose();
        string first = Path.Combine(Store, "first");
        SafeFileHandle locked = Locked(Path.Combine(first, StoreFormat.LockName));
        AssertCancelled(first, token => store.OpenQueue<Parcel>("first", cancellationToken: token));
        // Also behind another thread, which waits with more patience.
        Task<MappedQueue<Parcel>> patient = Task.Run(() => store.OpenQueue<Parcel>("first"));
        await Assert.ThrowsAsync<TimeoutException>(() => patient.WaitAsync(TimeSpan.FromMilliseconds(100)));
        AssertCancelled(null, token => store.OpenQueue<Parcel>("second", cancellationToken: token));
        Assert.False(Path.Exists(Path.Combine(Store, "second")));
        locked.Dispose();
        (await patient.WaitAsync(Peer.Patience)).Dispose();
        store.OpenQueue<Parcel>("second").Dispose();
    }

    [Fact]
    public void While_another_handle_opens_a_queue_by_name()
    {
        string name = $"cancelled-{Environment.ProcessId}";
        using (var queue = MappedQueue<Parcel>.OpenExpress(name))
        using (Locked(Path.Combine(queue.Path, StoreFormat.LockName)))
        {
            AssertCancelled(queue.Path, token => MappedQueue<Parcel>.OpenExpress(name, Patient, token));
            AssertCancelled(queue.Path, token => MappedQueue<Parcel>.DeleteExpress(name, token));
        }
        string path;
        using (var unnamed = MappedQueue<Parcel>.CreateAnonymous())
        {
            path = Path.GetDirectoryName(unnamed.Path)!;
        }
        using (Locked(Path.Combine(path, "lock")))
        {
            AssertCancelled(path, token => MappedQueue<Parcel>.CreateAnonymous(Patient, token));
        }
        MappedQueue<Parcel>.CreateAnonymous(Patient).Dispose();
        Assert.True(MappedQueue<Parcel>.DeleteExpress(name));
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.CommitLockAcquired))]
    [InlineData(nameof(ProtocolStep.TransactionDecided))]
    public void While_a_stopped_process_commits(string step)
    {
        using var site = new StoreSite();
        site.Fill(20);
        using var store = MappedStore.Open(site.Site.Root, new QueueOptions { StallTimeout = TimeSpan.FromMinutes(5) });
        MappedQueue<Parcel> other = store.OpenQueue<Parcel>("other");
        using Peer stopped = Peer.StartToStop(
            site.Site, Enum.Parse<ProtocolStep>(step), 3, "store-transfer", $"to={StoreSite.To}", "batch=2").WaitForStop();
        using (QueueTransaction transaction = store.Begin())
        {
            transaction.Enqueue(other, new Parcel().Fill(1, 0, 10));
            AssertCancelled(site.Site.Root, token => transaction.Commit(token));
            Assert.Empty(StoreSite.Take(other));
        }
        stopped.Continue();
        stopped.WaitFor("ready").Finish();
        site.AssertEachOnce();
    }

    [Fact]
    public void While_a_stopped_process_sets_a_message_aside_or_another_handle_opens_the_letters()
    {
        string letters = SetOneAside(leave: 2);
        using Peer stopped = Peer.StartToStop(_site, ProtocolStep.AppendLockAcquired, 1, "bury", "count=1").WaitForStop();
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Patient);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Lease<Parcel> lease = subscription.Receive();
        using (Locked(Path.Combine(letters, StoreFormat.LockName)))
        {
            AssertCancelled(letters, token => lease.DeadLetter("mine", token));
        }
        AssertCancelled(letters, token => lease.DeadLetter("mine", token));
        stopped.Kill();
        stopped.WaitForDeath();
        Assert.Equal(1, subscription.DeadLetters.Count);
        Assert.ThrowsAny<OperationCanceledException>(() => lease.DeadLetter("mine", new CancellationToken(canceled: true)));
        lease.DeadLetter("mine", CancellationToken.None);
        Assert.Equal(2, subscription.DeadLetters.Count);
    }

    [Fact]
    public async Task While_another_handle_opens_the_letters_that_a_message_is_to_be_added_to()
    {
        string letters = SetOneAside(leave: 1);
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Patient);
        using Subscription<Parcel> subscription = queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = 1 });
        subscription.Receive().Abandon();
        using (Locked(Path.Combine(letters, StoreFormat.LockName)))
        {
            AssertCancelled(letters, token => subscription.OpenDeadLetters(token));
            AssertCancelled(null, token => subscription.Receive(token));
            Assert.Null(subscription.Receive(TimeSpan.Zero, CancellationToken.None));
            using var ending = new CancellationTokenSource(150);
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => subscription.ReceiveAsync(ending.Token).AsTask());
            AssertCancelled(null, token => subscription.ProcessAsync(static (_, _) => default, null, token).GetAwaiter().GetResult());
            Assert.ThrowsAny<OperationCanceledException>(() => subscription.OpenDeadLetters(new CancellationToken(canceled: true)));
        }
        // Nothing was lost, and no attempt counts.
        Assert.True(SpinWait.SpinUntil(
            () => subscription.Receive(TimeSpan.Zero) is null && subscription.DeadLetters.Count == 2, Peer.Patience));
        Assert.Equal([1, 1], subscription.DeadLetters.Select(static letter => letter.Attempts));
        Assert.Same(subscription.DeadLetters, subscription.OpenDeadLetters(CancellationToken.None));
    }

    [Fact]
    public async Task A_status_waits_for_no_handle_that_opens_the_letters()
    {
        string letters = SetOneAside(leave: 1);
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Patient);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        Task<DeadLetterQueue<Parcel>> waiting;
        using (Locked(Path.Combine(letters, StoreFormat.LockName)))
        {
            Assert.Equal(1, await CountAsync());
            waiting = Task.Run(() => subscription.DeadLetters);
            await Assert.ThrowsAsync<TimeoutException>(() => waiting.WaitAsync(TimeSpan.FromMilliseconds(100)));
            Assert.Equal(1, await CountAsync());
        }
        DeadLetterQueue<Parcel> opened = await waiting.WaitAsync(Peer.Patience);
        Assert.Equal(opened.Count, await CountAsync());

        async Task<long> CountAsync() =>
            Assert.Single((await Task.Run(queue.GetStatus).WaitAsync(Peer.Patience)).Subscriptions).DeadLetters;
    }

    // A system's wait for a lock has no time limit, and what waits cannot be taken back: so it is what the next opening goes on with.
    [Fact]
    public async Task Openings_that_were_cancelled_one_after_the_other_leave_one_wait_behind()
    {
        MappedQueue<Parcel>.Open(_site.Queue).Dispose();
        Task<MappedQueue<Parcel>> patient;
        using (Locked(_site.File(StoreFormat.LockName)))
        {
            for (int opening = 0; opening < 50; opening++)
            {
                using var ending = new CancellationTokenSource(TimeSpan.FromMilliseconds(1));
                Assert.ThrowsAny<OperationCanceledException>(() => MappedQueue<Parcel>.Open(_site.Queue, Patient, ending.Token));
            }
            // That of the test, and that of the wait.
            Assert.InRange(LockFiles(), 0, 2);
            // The next one goes on with it.
            patient = Task.Run(() => MappedQueue<Parcel>.Open(_site.Queue, Patient));
            await Assert.ThrowsAsync<TimeoutException>(() => patient.WaitAsync(TimeSpan.FromMilliseconds(100)));
            Assert.InRange(LockFiles(), 0, 2);
        }
        (await patient.WaitAsync(Peer.Patience)).Dispose();
        AssertSoonClosed(_site.Queue);
        MappedQueue<Parcel>.Open(_site.Queue).Dispose();

        int LockFiles() => _site.OpenFiles(_site.Queue).Count(static file => file.EndsWith(StoreFormat.LockName, StringComparison.Ordinal));
    }

    // Where it is short, the wait for a file that is deleted or left ends with an exception of its own; so several are begun.
    [Fact]
    public void While_another_handle_deletes_or_leaves_a_shared_object()
    {
        string path = Path.Combine(_site.Root, "object");
        using (var mutex = SharedMutex.OpenFile(path))
        {
            AssertCancelledOnce(token => SharedObject.DeleteFile(path, token));
        }
        using (SafeFileHandle deleting = Locked(path, StoreFormat.FirstParticipantLock, ControlFormat.MaximumParticipants))
        {
            AssertCancelledOnce(token => SharedMutex.OpenFile(path, cancellationToken: token).Dispose());
        }
        SharedMutex.OpenFile(path).Dispose();
        Assert.True(SharedObject.DeleteFile(path));
    }

    [Fact]
    public void For_a_time_that_no_clock_reaches()
    {
        string path = Path.Combine(_site.Root, "object");
        using (var mutex = SharedMutex.OpenFile(path))
        using (mutex.Acquire(TimeSpan.MaxValue))
        {
            AssertCancelled(path, token => mutex.Acquire(TimeSpan.MaxValue, token));
        }
        path += "-lock";
        using (var readers = SharedReaderWriterLock.OpenFile(path))
        using (readers.AcquireWrite(TimeSpan.MaxValue))
        {
            AssertCancelled(path, token => readers.AcquireRead(TimeSpan.MaxValue, token));
            AssertCancelled(path, token => readers.AcquireWrite(TimeSpan.MaxValue, token));
        }
        using var value = SharedValue<long>.OpenFile(path + "-value");
        AssertCancelled(null, token => value.WaitForChange(value.Version, TimeSpan.MaxValue, token));
    }

    [Fact]
    public void With_a_token_that_was_cancelled_before_nothing_is_made()
    {
        var cancelled = new CancellationToken(canceled: true);
        string name = $"cancelled-{Environment.ProcessId}", path = Path.Combine(_site.Root, "new");
        Action[] calls =
        [
            () => MappedQueue<Parcel>.Open(path, cancellationToken: cancelled),
            () => MappedQueue<Parcel>.OpenExpress(name, cancellationToken: cancelled),
            () => MappedQueue<Parcel>.CreateAnonymous(cancellationToken: cancelled),
            () => MappedQueue<Parcel>.DeleteExpress(name, cancelled),
            () => MappedLanes<Parcel>.Open(path, cancellationToken: cancelled),
            () => MappedStore.Open(path, cancellationToken: cancelled),
            () => MappedQueue.Delete(path, cancelled),
            () => MappedQueue.Repair(path, cancelled),
            () => SharedMutex.Open(name, cancelled),
            () => SharedMutex.OpenFile(path, cancellationToken: cancelled),
            () => SharedReaderWriterLock.Open(name, cancelled),
            () => SharedReaderWriterLock.OpenFile(path, cancellationToken: cancelled),
            () => SharedValue<long>.Open(name, cancelled),
            () => SharedValue<long>.OpenFile(path, cancellationToken: cancelled),
            () => SharedArray<long>.Open(name, cancelled),
            () => SharedArray<long>.Open(name, 8, cancelled),
            () => SharedArray<long>.OpenFile(path, cancelled),
            () => SharedArray<long>.OpenFile(path, 8, cancellationToken: cancelled),
            () => SharedBuffer.Open(name, cancelled),
            () => SharedBuffer.Open(name, 8, cancelled),
            () => SharedBuffer.OpenFile(path, cancelled),
            () => SharedBuffer.OpenFile(path, 8, cancellationToken: cancelled),
            () => SharedObject.Delete(name, cancelled),
            () => SharedObject.DeleteFile(path, cancelled),
            () => RpcClient<Parcel, Parcel>.Open(name, cancellationToken: cancelled),
            () => RpcClient<Parcel, Parcel>.OpenFile(path, cancellationToken: cancelled),
            () => RpcServer<Parcel, Parcel>.Open(name, cancellationToken: cancelled),
            () => RpcServer<Parcel, Parcel>.OpenFile(path, cancellationToken: cancelled),
        ];
        Assert.All(calls, static call => Assert.ThrowsAny<OperationCanceledException>(call));
        Assert.False(Path.Exists(path));
        Assert.DoesNotContain(name, SharedObject.List());
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Assert.ThrowsAny<OperationCanceledException>(() => queue.Subscribe("mine", cancellationToken: cancelled));
        Assert.ThrowsAny<OperationCanceledException>(() => queue.DeleteSubscription("default", cancelled));
        Assert.ThrowsAny<OperationCanceledException>(() => MappedQueue.GetStatus(_site.Queue, cancelled));
        Assert.Equal(["default"], MappedQueue.ListSubscriptions(_site.Queue));
    }

    // Returns the directory of the letters.
    private string SetOneAside(int leave)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        queue.EnqueueBatch([.. Enumerable.Range(0, 1 + leave).Select(static number => new Parcel().Fill(1, number, 10))]);
        using Subscription<Parcel> subscription = queue.Subscribe("default");
        subscription.Receive().DeadLetter("no");
        return _site.File(StoreFormat.DeadLettersName("default"));
    }

    // A wait that was left closes its file by itself, when it has got the lock.
    private void AssertSoonClosed(string directory) =>
        Assert.True(SpinWait.SpinUntil(() => _site.OpenFiles(directory).Count == 0, Peer.Patience));

    private static void AssertCancelled(string? path, Action<CancellationToken> call)
    {
        OperationCanceledException thrown = CancelWaiting(call);
        // On a busy machine the token may be cancelled before the call has begun to wait.
        for (int attempt = 0; attempt < 5 && path is not null && !thrown.Message.Contains(path, StringComparison.Ordinal); attempt++)
        {
            thrown = CancelWaiting(call);
        }
        if (path is not null)
        {
            Assert.Contains(path, thrown.Message, StringComparison.Ordinal);
        }
    }

    private static OperationCanceledException CancelWaiting(Action<CancellationToken> call)
    {
        using var ending = new CancellationTokenSource();
        var waiting = Task.Run(() => call(ending.Token));
        Assert.False(SpinWait.SpinUntil(() => waiting.IsCompleted, TimeSpan.FromMilliseconds(150)), "It did not wait.");
        ending.Cancel();
        OperationCanceledException thrown = Assert.IsType<OperationCanceledException>(
            Record.Exception(() => waiting.WaitAsync(Peer.Patience).GetAwaiter().GetResult()));
        Assert.Equal(ending.Token, thrown.CancellationToken);
        return thrown;
    }

    private static void AssertCancelledOnce(Action<CancellationToken> call)
    {
        for (int attempt = 0; ; attempt++)
        {
            using var ending = new CancellationTokenSource(TimeSpan.FromMilliseconds(10));
            if (Record.Exception(() => call(ending.Token)) is OperationCanceledException)
            {
                return;
            }
            Assert.True(attempt < 100, "No wait ended by its token.");
        }
    }

    private static SafeFileHandle Locked(string path, long first = StoreFormat.OpeningLockByte, int bytes = 1)
    {
        SafeFileHandle file = File.OpenHandle(path, FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        Assert.All(
            Enumerable.Range(0, bytes), index => Assert.True(CurrentPlatform.Instance.TryLockByte(file, first + index)));
        return file;
    }

    public void Dispose() => _site.Dispose();
}
