using BlitQueue.Log;

namespace BlitQueue.Tests.Processes;

/// <summary>Locks of several processes: who waits, who is told, and what a death or a stop leaves.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SharedLockTests : IDisposable
{
    private static readonly TimeSpan Moment = TimeSpan.FromMilliseconds(100);

    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    // Its successor has its index in the table of those who have the object open.
    [Fact]
    public void No_other_process_is_named_for_a_dead_one_whose_successor_has_its_index()
    {
        var gone = SharedMutex.OpenFile(File);
        using (gone)
        {
            gone.Acquire();
        }
        using var next = SharedMutex.OpenFile(File);
        Assert.Null(next.HolderProcessId);
        using SharedLockScope scope = next.Acquire();
        Assert.True(scope.WasAbandoned);
        Assert.Null(scope.AbandonedBy);
    }

    [Fact]
    public async Task A_scope_that_is_disposed_twice_frees_no_other_threads_lock()
    {
        using var mutex = SharedMutex.OpenFile(File);
        using var values = SharedArray<int>.OpenFile(File + "-values", 1);
        using var isTaken = new SemaphoreSlim(0);
        using var mayEnd = new SemaphoreSlim(0);
        Task other = DisposeTwice(mutex, values, isTaken, mayEnd);
        Assert.False(mutex.TryAcquire(out _));
        Assert.False(values.TryAcquireRead(out _));
        mayEnd.Release();
        await other;
        mutex.Acquire().Dispose();
        values.AcquireWrite().Dispose();
    }

    private static Task DisposeTwice(SharedMutex mutex, SharedArray<int> values, SemaphoreSlim isTaken, SemaphoreSlim mayEnd)
    {
        SharedLockScope scope = mutex.Acquire(), read = values.AcquireRead(), write;
        scope.Dispose();
        read.Dispose();
        read.Dispose();
        write = values.AcquireWrite();
        write.Dispose();
        var other = Task.Run(() =>
        {
            using SharedLockScope mine = mutex.Acquire(), written = values.AcquireWrite();
            isTaken.Release();
            mayEnd.Wait();
        });
        isTaken.Wait();
        scope.Dispose();
        write.Dispose();
        return other;
    }

    [Fact]
    public void A_mutex_is_one_threads_at_a_time()
    {
        using var one = SharedMutex.OpenFile(File);
        using var other = SharedMutex.OpenFile(File);
        using (SharedLockScope scope = one.Acquire())
        {
            Assert.Equal(SharedLockMode.Write, scope.Mode);
            Assert.False(scope.WasAbandoned);
            Assert.Throws<LockRecursionException>(() => one.Acquire().Dispose());
            Assert.Throws<LockRecursionException>(() => one.TryAcquire(out _));
            Assert.False(other.TryAcquire(out SharedLockScope none));
            Assert.Equal(SharedLockMode.None, none.Mode);
            none.Dispose();
            Assert.Equal(Environment.ProcessId, other.HolderProcessId);
            SharedLockTimeoutException late = Assert.Throws<SharedLockTimeoutException>(() => other.Acquire(Moment).Dispose());
            Assert.Equal((Environment.ProcessId, QueueError.InUse), (late.ProcessId, late.Reason));
            Assert.Throws<OperationCanceledException>(() => other.Acquire(new CancellationToken(canceled: true)).Dispose());
        }
        Assert.Null(other.HolderProcessId);
        Assert.True(other.TryAcquire(out SharedLockScope taken));
        taken.Dispose();
        one.Acquire(TimeSpan.Zero).Dispose();
    }

    [Fact]
    public void A_wait_ends_with_the_lock_with_its_token_and_with_its_handle()
    {
        using var one = SharedMutex.OpenFile(File);
        using var other = SharedMutex.OpenFile(File);
        using var cancelled = new CancellationTokenSource();
        Task Wait(SharedMutex mutex, CancellationToken token = default) => Task.Run(() => mutex.Acquire(token).Dispose());
        SharedLockScope scope = one.Acquire();
        Task first = Wait(other), second = Wait(other), ended = Wait(other, cancelled.Token);
        Thread.Sleep(20);
        cancelled.Cancel();
        Assert.Throws<OperationCanceledException>(() => Soon.Of(ended));
        scope.Dispose();
        Soon.Of(first, second);
        scope = one.Acquire();
        first = Wait(other);
        Thread.Sleep(20);
        other.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(first));
        one.Dispose();
        scope.Dispose();
        using var third = SharedMutex.OpenFile(File);
        using SharedLockScope left = third.Acquire();
        Assert.True(left.WasAbandoned);
    }

    [Fact]
    public void Readers_are_many_and_a_writer_is_alone()
    {
        using var one = SharedReaderWriterLock.OpenFile(File);
        using var other = SharedReaderWriterLock.OpenFile(File);
        using (one.AcquireRead())
        {
            using (one.AcquireRead())
            {
                Assert.True(other.TryAcquireRead(out SharedLockScope beside));
                beside.Dispose();
                Assert.False(other.TryAcquireWrite(out _));
            }
            Assert.False(other.TryAcquireWrite(out _));
            Assert.Throws<LockRecursionException>(() => one.AcquireWrite().Dispose());
            SharedLockTimeoutException late = Assert.Throws<SharedLockTimeoutException>(() => other.AcquireWrite(Moment).Dispose());
            Assert.Equal(Environment.ProcessId, late.ProcessId);
            // A writer that gave up keeps no reader out.
            Assert.True(other.TryAcquireRead(out SharedLockScope again));
            again.Dispose();
        }
        using (SharedLockScope write = other.AcquireWrite())
        {
            Assert.Equal(Environment.ProcessId, one.WriterProcessId);
            Assert.False(one.TryAcquireRead(out _));
            Assert.Throws<LockRecursionException>(() => other.AcquireRead().Dispose());
            Assert.Throws<LockRecursionException>(() => other.AcquireWrite().Dispose());
            SharedLockTimeoutException late = Assert.Throws<SharedLockTimeoutException>(() => one.AcquireRead(Moment).Dispose());
            Assert.Equal(Environment.ProcessId, late.ProcessId);
        }
        one.AcquireWrite(TimeSpan.Zero).Dispose();
    }

    [Fact]
    public void A_reader_that_reads_twice_does_not_wait_for_a_writer_that_waits_for_it()
    {
        using var one = SharedReaderWriterLock.OpenFile(File);
        using var other = SharedReaderWriterLock.OpenFile(File);
        Task writer;
        using (one.AcquireRead())
        {
            writer = Task.Run(() => other.AcquireWrite().Dispose());
            Assert.True(SpinWait.SpinUntil(() => one.WriterProcessId is not null, Peer.Patience));
            Assert.False(other.TryAcquireRead(out _));
            one.AcquireRead(TimeSpan.FromSeconds(5)).Dispose();
        }
        Soon.Of(writer);
    }

    [Fact]
    public void The_next_holder_of_a_mutex_whose_holder_was_killed_is_told()
    {
        using var mutex = SharedMutex.OpenFile(File);
        using Peer dead = Peer.Start(_site, "shared-mutex").WaitFor("holding");
        Assert.Equal(dead.Id, mutex.HolderProcessId);
        Task<int?> waiter = Task.Run(() =>
        {
            using SharedLockScope scope = mutex.Acquire();
            return scope.WasAbandoned ? scope.AbandonedBy : null;
        });
        Thread.Sleep(20);
        Assert.False(waiter.IsCompleted);
        dead.Kill();
        Assert.Equal(dead.Id, Soon.Of(waiter));
        using SharedLockScope next = mutex.Acquire();
        Assert.False(next.WasAbandoned);
    }

    [Fact]
    public void A_stopped_holder_keeps_a_mutex()
    {
        using var mutex = SharedMutex.OpenFile(File);
        using Peer stopped = Peer.Start(_site, "shared-mutex").WaitFor("holding");
        stopped.Stop();
        SharedLockTimeoutException late = Assert.Throws<SharedLockTimeoutException>(() => mutex.Acquire(3 * Moment).Dispose());
        Assert.Equal(stopped.Id, late.ProcessId);
        Assert.False(mutex.TryAcquire(out _));
        stopped.Continue();
        stopped.Finish();
        using SharedLockScope scope = mutex.Acquire(Peer.Patience);
        Assert.False(scope.WasAbandoned);
    }

    [Theory]
    [InlineData("shared-hold-write", true)]
    [InlineData("shared-hold-read", false)]
    public void After_the_death_of_a_holder_readers_and_writers_go_on_and_are_told_of_a_writer(string command, bool isTold)
    {
        using var array = SharedArray<long>.OpenFile(File, 2);
        using Peer dead = Peer.Start(_site, command).WaitFor("holding");
        Assert.False(array.TryAcquireWrite(out _));
        Assert.Equal(!isTold, array.TryAcquireRead(out SharedLockScope beside));
        beside.Dispose();
        dead.Kill();
        dead.WaitForExit();
        using (SharedLockScope read = array.AcquireRead(Peer.Patience))
        {
            Assert.Equal(isTold, read.WasAbandoned);
            Assert.Equal(isTold ? dead.Id : null, read.AbandonedBy);
        }
        using (SharedLockScope read = array.AcquireRead(Peer.Patience))
        {
            Assert.Equal(isTold, read.WasAbandoned);
        }
        using (SharedLockScope write = array.AcquireWrite(Peer.Patience))
        {
            Assert.Equal(isTold, write.WasAbandoned);
            array[1] = array[0];
        }
        using SharedLockScope last = array.AcquireRead();
        Assert.False(last.WasAbandoned);
    }

    [Theory]
    [InlineData("shared-hold-read")]
    [InlineData("shared-hold-write")]
    public void A_stopped_holder_keeps_a_reader_writer_lock(string command)
    {
        using var array = SharedArray<long>.OpenFile(File, 2);
        using Peer stopped = Peer.Start(_site, command).WaitFor("holding");
        stopped.Stop();
        SharedLockTimeoutException late =
            Assert.Throws<SharedLockTimeoutException>(() => array.AcquireWrite(TimeSpan.FromMilliseconds(300)).Dispose());
        Assert.Equal(stopped.Id, late.ProcessId);
        Assert.Contains($"process {stopped.Id}", late.Message, StringComparison.Ordinal);
        stopped.Continue();
        stopped.Finish();
        using SharedLockScope scope = array.AcquireWrite(Peer.Patience);
        Assert.False(scope.WasAbandoned);
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.SharedLockAcquired), "shared-hold-write", true)]
    [InlineData(nameof(ProtocolStep.SharedWriterAlone), "shared-hold-write", true)]
    [InlineData(nameof(ProtocolStep.SharedReaderCounted), "shared-hold-read", false)]
    [InlineData(nameof(ProtocolStep.SharedLockReleased), "shared-count", false)]
    public void A_process_killed_at_a_step_of_the_lock_keeps_it_from_no_other(string step, string command, bool isTold)
    {
        using var array = SharedArray<long>.OpenFile(File, 2);
        using var dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), 1, command);
        dead.WaitForDeath();
        using (SharedLockScope write = array.AcquireWrite(Peer.Patience))
        {
            Assert.Equal(isTold, write.WasAbandoned);
        }
        using SharedLockScope read = array.AcquireRead(Peer.Patience);
        Assert.False(read.WasAbandoned);
    }

    [Fact]
    public void A_process_that_dies_when_it_takes_the_lock_over_leaves_the_news_to_the_next()
    {
        using var array = SharedArray<long>.OpenFile(File, 2);
        using (Peer dead = Peer.Start(_site, "shared-hold-write").WaitFor("holding"))
        {
            dead.Kill();
            dead.WaitForExit();
        }
        using var second = Peer.StartToDie(_site, ProtocolStep.SharedLockTakenOver, 1, "shared-hold-read");
        second.WaitForDeath();
        using SharedLockScope read = array.AcquireRead(Peer.Patience);
        Assert.True(read.WasAbandoned);
        Assert.Equal(second.Id, read.AbandonedBy);
    }

    [Fact]
    public void Processes_that_count_under_the_lock_lose_nothing_also_if_some_are_killed()
    {
        using var array = SharedArray<long>.OpenFile(File, 2);
        Peer[] counting = [.. Enumerable.Range(0, 2).Select(_ => Peer.Start(_site, "shared-count", "count=20000"))];
        for (int kill = 0; kill < 4; kill++)
        {
            using Peer dead = Peer.Start(_site, "shared-count").WaitFor("ready");
            Thread.Sleep(5);
            dead.Kill();
            dead.WaitForExit();
            using SharedLockScope scope = array.AcquireWrite(Peer.Patience);
            // The dead one may have written one of the two.
            Assert.True(array[0] == array[1] || (scope.WasAbandoned && array[1] == array[0] + 1), $"{array[0]} and {array[1]}");
            array[1] = array[0];
        }
        foreach (Peer peer in counting)
        {
            Assert.Equal(0, peer.WaitForExit());
            peer.Dispose();
        }
        Assert.True(array[0] >= 40_000 && array[0] == array[1], $"{array[0]} and {array[1]}");
    }

    public void Dispose() => _site.Dispose();
}
