using BlitQueue.Log;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// Use that cannot be meant, each with an exception that says what was wrong. Positions: SeekTests; file systems: FileSystemTests; options
/// that contradict each other: SoftLimitTests, DurabilityTests, ExpressTests.
/// </summary>
public sealed class BadUseTests : QueueFixture
{
    // Nobody can tell from outside whether it is: it may put a long log in order.
    [Fact]
    public async Task Who_opens_the_queue_for_long_is_not_called_stopped()
    {
        Open().Dispose();
        using SafeFileHandle other = File.OpenHandle(
            Site.File(StoreFormat.LockName), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        Assert.True(CurrentPlatform.Instance.TryLockByte(other, StoreFormat.OpeningLockByte));
        QueueException refused = Assert.Throws<QueueException>(
            () => Open(new QueueOptions { StallTimeout = TimeSpan.FromMilliseconds(100) }));
        Assert.Contains("recovers a long log, is stopped, or its disk hangs", refused.Message, StringComparison.Ordinal);
        Task<MappedQueue<Note>> patient = Task.Run(() => Open());
        await Assert.ThrowsAsync<TimeoutException>(() => patient.WaitAsync(TimeSpan.FromMilliseconds(200)));
        Assert.True(CurrentPlatform.Instance.UnlockByte(other, StoreFormat.OpeningLockByte));
        (await patient).Dispose();
    }

    // Between two looks of an opener without the lock anything may be missing for a moment: another
    // deletes the queue, repairs it, or makes it.
    [Fact]
    public async Task What_is_missing_while_another_has_the_lock_is_not_called_damage()
    {
        using (MappedQueue<Note> queue = Open())
        {
            queue.Enqueue(Of(1));
        }
        using SafeFileHandle other = File.OpenHandle(
            Site.File(StoreFormat.LockName), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);
        Assert.True(CurrentPlatform.Instance.TryLockByte(other, StoreFormat.OpeningLockByte));
        string meta = Site.File(StoreFormat.MetaName);
        File.Move(meta, meta + "-away");
        Task<MappedQueue<Note>> patient = Task.Run(() => Open());
        await Assert.ThrowsAsync<TimeoutException>(() => patient.WaitAsync(TimeSpan.FromMilliseconds(200)));
        File.Move(meta + "-away", meta);
        Assert.True(CurrentPlatform.Instance.UnlockByte(other, StoreFormat.OpeningLockByte));
        using MappedQueue<Note> opened = await patient;
        Assert.Equal([1], Drain(opened));
    }

    [Fact]
    public void A_lease_is_committed_once()
    {
        using MappedQueue<Note> queue = Open();
        Lease<Note> lease = TakeOne(queue);
        Lease<Note> copy = lease;
        lease.Commit();
        Assert.Contains("has ended", Assert.Throws<InvalidOperationException>(copy.Commit).Message);
        Assert.Contains("has ended", Assert.Throws<InvalidOperationException>(copy.Abandon).Message);
        Assert.Contains("has ended", Assert.Throws<InvalidOperationException>(() => copy.DeadLetter("late")).Message);
    }

    [Fact]
    public void A_lease_that_was_disposed_is_not_committed_even_where_another_has_the_message_again()
    {
        using MappedQueue<Note> queue = Open();
        Lease<Note> lease = TakeOne(queue);
        lease.Dispose();
        Assert.Contains("has ended", Assert.Throws<InvalidOperationException>(lease.Commit).Message);
        using Lease<Note> again = queue.Subscribe("default").Receive();
        Assert.Equal(2, again.Attempt);
        Assert.Contains("has ended", Assert.Throws<InvalidOperationException>(lease.Commit).Message);
        again.Commit();
    }

    [Fact]
    public void Nothing_is_committed_after_the_queue_was_disposed()
    {
        MappedQueue<Note> queue = Open();
        Lease<Note> lease = TakeOne(queue);
        queue.Dispose();
        Assert.Throws<ObjectDisposedException>(lease.Commit);
        Assert.Throws<ObjectDisposedException>(() => queue.Enqueue(Of(2)));
        using MappedQueue<Note> next = Open();
        Assert.Equal([1], Drain(next));
    }

    [Fact]
    public void A_lease_of_a_subscription_that_was_deleted_says_so()
    {
        using MappedQueue<Note> queue = Open();
        using Subscription<Note> audit = queue.Subscribe("audit");
        queue.Enqueue(Of(1));
        Lease<Note> lease = audit.Receive();
        Assert.True(queue.DeleteSubscription("audit"));
        Note? note = null;
        Assert.Contains("'audit' was deleted", Assert.Throws<QueueException>(lease.Commit).Message);
        Assert.Contains("'audit' was deleted", Assert.Throws<QueueException>(() => lease.ReadInto(ref note)).Message);
        Assert.Contains("'audit' was deleted", Assert.Throws<QueueException>(() => lease.DeadLetter("no")).Message);
        Assert.Contains("'audit' was deleted", Assert.Throws<QueueException>(() => audit.TryDequeue(ref note)).Message);
    }

    private static Lease<Note> TakeOne(MappedQueue<Note> queue)
    {
        queue.Enqueue(Of(1));
        return queue.Subscribe("default").Receive();
    }
}
