using BlitQueue.Log;

namespace BlitQueue.Tests.Processes;

/// <summary>Values that are always whole: beside writers that write, die and stop.</summary>
[Collection(ProcessCollection.Name)]
public sealed class SharedValueTests : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    [Fact]
    public void What_was_written_is_read_with_its_version()
    {
        using var one = SharedValue<SharedBlock>.OpenFile(File);
        using var other = SharedValue<SharedBlock>.OpenFile(File);
        Assert.Equal(0, other.Read(out long version).Number);
        Assert.Equal(0, version);
        Assert.Equal(1, one.Write(SharedBlock.Of(5)));
        Assert.Equal(2, other.Write(SharedBlock.Of(6), TimeSpan.FromSeconds(1)));
        Assert.Equal(6, one.Read(out version).Number);
        Assert.Equal(2, version);
        Assert.Equal(16, one.Update(10, static (block, more) => SharedBlock.Of(block.Number + more)).Number);
        Assert.Throws<InvalidOperationException>(() => one.Update(static _ => throw new InvalidOperationException()));
        Assert.Equal(3, other.Version);
        Assert.Equal(16, other.Read().Number);
        one.Update(block =>
        {
            Assert.Throws<LockRecursionException>(() => one.Write(block));
            Assert.Equal(16, one.Read().Number);
            Assert.Equal(Environment.ProcessId, other.WriterProcessId);
            SharedLockTimeoutException late = Assert.Throws<SharedLockTimeoutException>(() => other.Write(block, TimeSpan.Zero));
            Assert.Equal(Environment.ProcessId, late.ProcessId);
            return block;
        });
        Assert.Null(other.WriterProcessId);
        one.Dispose();
        Assert.Throws<ObjectDisposedException>(() => one.Read());
        Assert.Throws<ObjectDisposedException>(() => one.Write(default));
    }

    [Fact]
    public void A_change_ends_a_wait_and_so_do_its_time_its_token_and_its_handle()
    {
        using var value = SharedValue<long>.OpenFile(File);
        using var other = SharedValue<long>.OpenFile(File);
        Assert.False(value.WaitForChange(0, TimeSpan.FromMilliseconds(1)));
        using var cancelled = new CancellationTokenSource();
        Task<long> wait = Task.Run(() => value.WaitForChange(0, cancelled.Token));
        Thread.Sleep(20);
        cancelled.Cancel();
        Assert.Throws<OperationCanceledException>(() => Soon.Of(wait));
        wait = Task.Run(() => value.WaitForChange(0));
        Thread.Sleep(20);
        other.Write(7);
        Assert.Equal(1, Soon.Of(wait));
        Assert.Equal(1, value.WaitForChange(0));
        Assert.True(value.WaitForChange(0, TimeSpan.Zero));
        wait = Task.Run(() => value.WaitForChange(1));
        Thread.Sleep(20);
        value.Dispose();
        Assert.Throws<ObjectDisposedException>(() => Soon.Of(wait));
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.SharedLockAcquired), 3, 2)]
    [InlineData(nameof(ProtocolStep.SharedValueHalfWritten), 3, 2)]
    [InlineData(nameof(ProtocolStep.SharedValueWritten), 3, 2)]
    [InlineData(nameof(ProtocolStep.SharedValuePublished), 3, 3)]
    [InlineData(nameof(ProtocolStep.SharedLockReleased), 3, 3)]
    public void A_writer_killed_at_a_step_leaves_a_whole_value_and_the_next_goes_on(string step, int time, long left)
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        using var dead = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), time, "shared-write");
        dead.WaitForDeath();
        Assert.Equal(left, value.Read(out long version).Number);
        Assert.Equal(left, version);
        Assert.True(value.Read().IsWhole());
        Assert.Null(value.WriterProcessId);
        value.Write(SharedBlock.Of(100), Peer.Patience);
        Assert.True(value.Read() is { Number: 100 } block && block.IsWhole());
    }

    [Theory]
    [InlineData(nameof(ProtocolStep.SharedLockAcquired))]
    [InlineData(nameof(ProtocolStep.SharedValueHalfWritten))]
    [InlineData(nameof(ProtocolStep.SharedValuePublished))]
    public void A_stopped_writer_keeps_the_lock_and_readers_read_on(string step)
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        value.Write(SharedBlock.Of(50));
        using Peer stopped = Peer.StartToStop(_site, Enum.Parse<ProtocolStep>(step), 1, "shared-write", "count=1").WaitForStop();
        Assert.True(value.Read() is { Number: >= 50 } now && now.IsWhole());
        SharedLockTimeoutException late =
            Assert.Throws<SharedLockTimeoutException>(() => value.Write(default, TimeSpan.FromMilliseconds(200)));
        Assert.Equal(stopped.Id, late.ProcessId);
        Assert.Contains($"process {stopped.Id}", late.Message, StringComparison.Ordinal);
        Assert.Equal(stopped.Id, value.WriterProcessId);
        using var soon = new CancellationTokenSource(500);
        Assert.Contains(
            $"process {stopped.Id}", Assert.Throws<OperationCanceledException>(() => value.Write(default, soon.Token)).Message,
            StringComparison.Ordinal);
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        Assert.Equal(51, value.Read().Number);
        Assert.Equal(3, value.Write(SharedBlock.Of(52)));
    }

    [Fact]
    public void Readers_beside_writers_that_are_killed_at_any_moment_read_whole_values_of_growing_versions()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        bool isOver = false;
        long reads = 0;
        Thread[] readers = [.. Enumerable.Range(0, 2).Select(_ => new Thread(() =>
        {
            for (long known = 0; !Volatile.Read(ref isOver); Interlocked.Increment(ref reads))
            {
                SharedBlock block = value.Read(out long version);
                if (!block.IsWhole() || version < known)
                {
                    Interlocked.Exchange(ref reads, long.MinValue);
                    return;
                }
                known = version;
            }
        }))];
        Array.ForEach(readers, static reader => reader.Start());
        for (int kill = 0; kill < 6; kill++)
        {
            using Peer one = Peer.Start(_site, "shared-write"), other = Peer.Start(_site, "shared-write");
            one.WaitFor("wrote");
            other.WaitFor("wrote");
            Thread.Sleep(kill * 3);
            one.Kill();
            other.Kill();
            one.WaitForExit();
            other.WaitForExit();
            value.Update(static block => SharedBlock.Of(block.Number + 1));
        }
        Volatile.Write(ref isOver, true);
        Array.ForEach(readers, static reader => reader.Join());
        Assert.True(Interlocked.Read(ref reads) > 0, "A value was read that is not whole, or older than one before.");
    }

    [Fact]
    public void Updates_of_several_processes_are_all_there()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        Peer[] peers = [.. Enumerable.Range(0, 3).Select(_ => Peer.Start(_site, "shared-update", "count=2000"))];
        foreach (Peer peer in peers)
        {
            Assert.Equal(0, peer.WaitForExit());
            peer.Dispose();
        }
        Assert.Equal(6000, value.Read(out long version).Number);
        Assert.Equal(6000, version);
    }

    public void Dispose() => _site.Dispose();
}
