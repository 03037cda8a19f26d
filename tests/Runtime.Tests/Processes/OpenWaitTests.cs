using System.Diagnostics;
using BlitQueue.Log;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>Those who open a queue while another does: they wait in order, as long as those in front get on.</summary>
[Collection(ProcessCollection.Name)]
public sealed class OpenWaitTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromMilliseconds(500);

    private readonly Site _site = new();
    private readonly QueueFiles _files;

    public OpenWaitTests()
    {
        MappedQueue<Parcel>.Open(_site.Queue).Dispose();
        _files = new QueueFiles(_site.Queue, UnixFileMode.UserRead | UnixFileMode.UserWrite);
    }

    [Fact]
    public async Task Nobody_is_refused_while_those_in_front_get_on_and_they_come_in_order()
    {
        const int openers = 20;
        var came = new List<int>();
        var first = OpeningLock.Take(_files, Patience);
        var waiting = new List<Task>();
        for (int opener = 0; opener < openers; opener++)
        {
            int number = opener;
            waiting.Add(Task.Factory.StartNew(() => Hold(number), TaskCreationOptions.LongRunning));
            // Until it sleeps in the kernel, which shows who waits for a lock by an arrow.
            Assert.True(SpinWait.SpinUntil(() => Waiters() == number + 1, Peer.Patience));
        }
        GiveBack(first);
        await Task.WhenAll(waiting).WaitAsync(Peer.Patience);
        Assert.Equal(Enumerable.Range(0, openers), came);

        // All in all several times the patience.
        void Hold(int number)
        {
            var mine = OpeningLock.Take(_files, Patience);
            came.Add(number);
            Thread.Sleep(Patience / 5);
            GiveBack(mine);
        }
    }

    [Fact]
    public void Who_stands_still_is_named_and_what_its_waiter_gets_too_late_is_given_back()
    {
        using var site = new Site();
        using Peer stopped = Peer.StartToStop(site, ProtocolStep.StoreControlMade, 1, "produce", "count=1").WaitForStop();
        QueueStalledException refused = Assert.Throws<QueueStalledException>(
            () => MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { StallTimeout = Patience }));
        Assert.Contains($"process {stopped.Id}", refused.Message, StringComparison.Ordinal);
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        MappedQueue<Parcel>.Open(site.Queue).Dispose();
        using SafeFileHandle locks = new QueueFiles(site.Queue, default).OpenExisting(StoreFormat.LockName);
        Assert.True(SpinWait.SpinUntil(() => !CurrentPlatform.Instance.IsByteLocked(locks, StoreFormat.OpeningLockByte), Peer.Patience));
    }

    [Fact]
    public async Task Who_waits_for_a_long_log_sees_it_get_on_and_is_told_how_far_it_is()
    {
        var first = OpeningLock.Take(_files, Patience);
        var progress = new OpeningProgress(first.File);
        progress.Begin(total: 100L << 20);
        Task<MappedQueue<Parcel>> waiting = Task.Run(
            () => MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { StallTimeout = Patience }));
        for (int i = 0; i < 12; i++)
        {
            Thread.Sleep(Patience / 4);
            progress.Tick();
        }
        Assert.False(waiting.IsCompleted);
        // Of this process, which runs; as of one of which the system does not tell that, as of one in another container.
        Name(int.MaxValue);
        Thread.Sleep(4 * Patience);
        Assert.False(waiting.IsCompleted);
        progress.Advance(32 << 20);
        using var site = new Site();
        using Peer stopped = Peer.StartToStop(site, ProtocolStep.StoreControlMade, 1, "produce", "count=1").WaitForStop();
        Name(stopped.Id);
        QueueStalledException refused = await Assert.ThrowsAsync<QueueStalledException>(() => waiting.WaitAsync(Peer.Patience));
        Assert.Contains("32 of 100 MiB", refused.Message, StringComparison.Ordinal);
        GiveBack(first);

        void Name(int process) =>
            _site.Overwrite(StoreFormat.LockName, StoreFormat.OpeningWords, BitConverter.GetBytes((long)process));
    }

    [Fact]
    public async Task Of_one_lock_file_after_another_the_last_alone_is_waited_at_for_too_long()
    {
        TimeSpan patience = 4 * Patience;
        var first = OpeningLock.Take(_files, Patience);
        var progress = new OpeningProgress(first.File);
        Task<MappedQueue<Parcel>> waiting = Task.Run(
            () => MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { StallTimeout = patience }));
        for (int i = 0; i < 12; i++)
        {
            Thread.Sleep(patience / 10);
            progress.Tick();
        }
        File.Delete(_site.File(StoreFormat.LockName));
        using (SafeFileHandle second = _files.OpenOrCreate(StoreFormat.LockName))
        {
            // Its holder does not say who it is, so patience is all that it gets.
            Assert.True(CurrentPlatform.Instance.TryLockByte(second, StoreFormat.OpeningLockByte));
            GiveBack(first);
            Assert.True(SpinWait.SpinUntil(() => Waiters() == 1, Peer.Patience));
            Thread.Sleep(patience / 10);
        }
        (await waiting.WaitAsync(Peer.Patience)).Dispose();
    }

    [Fact]
    public void Who_is_stopped_while_it_waits_blocks_nobody()
    {
        var first = OpeningLock.Take(_files, Patience);
        using var stopped = Peer.Start(_site, "produce", "count=1");
        Assert.True(SpinWait.SpinUntil(() => Waiters() == 1, Peer.Patience));
        stopped.Stop();
        stopped.WaitForStop();
        Assert.True(SpinWait.SpinUntil(() => Waiters() == 0, Peer.Patience), "Who is stopped waits for the lock all the same.");
        GiveBack(first);
        for (int i = 0; i < 3; i++)
        {
            MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { StallTimeout = Patience }).Dispose();
        }
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
    }

    [Fact]
    public async Task Who_is_killed_with_the_lock_blocks_nobody()
    {
        _site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, "another boot"u8.ToArray());
        using var stopped = Peer.StartToStop(_site, ProtocolStep.RecoveryLogRead, 1, "produce", "count=1");
        stopped.WaitForStop();
        Task<MappedQueue<Parcel>> waiting = Task.Run(() => MappedQueue<Parcel>.Open(_site.Queue));
        Assert.True(SpinWait.SpinUntil(() => Waiters() == 1, Peer.Patience));
        stopped.Kill();
        (await waiting.WaitAsync(Peer.Patience)).Dispose();
    }

    private void GiveBack(OpeningLock held)
    {
        held.GiveBack(_site.Queue);
        held.Dispose();
    }

    // Who waits for a lock stands in the list of locks by an arrow; the file by its inode.
    private int Waiters()
    {
        string inode = $":{Inode()} ";
        return File.ReadLines("/proc/locks").Count(
            line => line.Contains("->", StringComparison.Ordinal) && line.Contains(inode, StringComparison.Ordinal));
    }

    private string Inode()
    {
        using Process stat = System.Diagnostics.Process.Start(new System.Diagnostics.ProcessStartInfo("stat", ["-c", "%i",
            _site.File(StoreFormat.LockName)])
        { RedirectStandardOutput = true })!;
        return stat.StandardOutput.ReadToEnd().Trim();
    }

    public void Dispose() => _site.Dispose();
}
