using BlitQueue.Log;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// What went wrong in SharedMemory (the behaviour is quoted at each test) must not go wrong here; as far as it concerns arrays, values,
/// buffers and locks.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class SharedMemoryDefects : IDisposable
{
    private readonly Site _site = new(inMemory: true);

    private string File => _site.Queue;

    /// <summary>"Exact multiples of the packet's length: the last packet is not copied. Success, and zeros."</summary>
    [Theory]
    [InlineData(224)]
    [InlineData(448)]
    [InlineData(4096)]
    [InlineData(8192)]
    public void D24_bytes_of_any_length_are_copied_to_the_last(int length)
    {
        byte[] bytes = [.. Enumerable.Range(1, length).Select(static number => (byte)(number % 251 + 1))];
        using var buffer = SharedBuffer.OpenFile(File, length);
        using var other = SharedBuffer.OpenFile(File);
        using (Stream stream = buffer.AsStream())
        {
            for (int at = 0; at < length; at += 32)
            {
                stream.Write(bytes, at, 32);
            }
        }
        Assert.Equal(bytes, other.Span.ToArray());
        using var array = SharedArray<byte>.OpenFile(File + "2", length);
        array.CopyFrom(bytes);
        using var same = SharedArray<byte>.OpenFile(File + "2");
        Assert.Equal(bytes, same);
    }

    /// <summary>"A peer that stalls for 1.3 s: 996 bytes delivered, 224 of them zeros, as complete."</summary>
    [Fact]
    public void D25_a_writer_that_stalls_half_way_shows_nobody_half_a_value()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        value.Write(SharedBlock.Of(7));
        using Peer stalled = Peer.StartToStop(_site, ProtocolStep.SharedValueHalfWritten, 1, "shared-write", "count=1").WaitForStop();
        for (int i = 0; i < 100; i++)
        {
            Assert.True(value.Read() is { Number: 7 } block && block.IsWhole());
        }
        stalled.Continue();
        Assert.Equal(0, stalled.WaitForExit());
        Assert.True(value.Read() is { Number: 8 } last && last.IsWhole());
    }

    /// <summary>"A conditional Set of an auto-reset event: 2 messages, 2 infinite readers, 1 hangs."</summary>
    [Fact]
    public void D26_every_waiter_is_woken()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        for (int round = 0; round < 2; round++)
        {
            Peer[] waiting = [.. Enumerable.Range(0, 3).Select(_ => Peer.Start(_site, "shared-await"))];
            Array.ForEach(waiting, static peer => peer.WaitFor("ready"));
            long version = value.Write(SharedBlock.Of(round));
            foreach (Peer peer in waiting)
            {
                peer.WaitFor($"changed to {version}");
                Assert.Equal(0, peer.WaitForExit());
                peer.Dispose();
            }
        }
        using var gate = SharedReaderWriterLock.OpenFile(File + "2");
        SharedLockScope write = gate.AcquireWrite();
        Task[] readers = [.. Enumerable.Range(0, 4).Select(_ => Task.Run(() => gate.AcquireRead().Dispose()))];
        Thread.Sleep(20);
        write.Dispose();
        Soon.Of(readers);
    }

    /// <summary>"The owner is killed between the exchange and its done flag: the ring is stuck for good."</summary>
    [Fact]
    public void D27_a_process_killed_with_the_lock_stops_no_other()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        for (int kill = 0; kill < 3; kill++)
        {
            using var dead = Peer.StartToDie(_site, ProtocolStep.SharedLockAcquired, 1, "shared-write");
            dead.WaitForDeath();
            using var next = Peer.Start(_site, "shared-write", "count=10");
            Assert.Equal(0, next.WaitForExit());
        }
        Assert.Equal(30, value.Version);
    }

    /// <summary>"Done is published before the length is erased: a new writer's length is erased, and 0 bytes are read."</summary>
    [Fact]
    public void D28_a_value_is_never_seen_without_what_belongs_to_it()
    {
        using var value = SharedValue<SharedBlock>.OpenFile(File);
        using Peer one = StartUpdates(), other = StartUpdates();
        long version = 0;
        while (version < 40_000)
        {
            SharedBlock block = value.Read(out long now);
            Assert.True(block.IsWhole() && block.Number == now && now >= version, $"{block.Number} as version {now} after {version}");
            version = now;
        }
        Assert.Equal(0, one.WaitForExit());
        Assert.Equal(0, other.WaitForExit());
    }

    /// <summary>"Indices come again: a stale call clears the flag of a node that is used anew, and all stall for good."</summary>
    [Fact]
    public void D29_a_writer_that_was_stopped_while_others_died_and_came_again_undoes_nothing()
    {
        using var array = SharedArray<long>.OpenFile(File, 2);
        using Peer stopped = Peer.StartToStop(_site, ProtocolStep.SharedLockReleased, 1, "shared-count", "count=10").WaitForStop();
        // The places in the table of participants are used many times meanwhile.
        for (int i = 0; i < 100; i++)
        {
            using var again = SharedArray<long>.OpenFile(File);
            using SharedLockScope scope = again.AcquireWrite(Peer.Patience);
            again[0]++;
            again[1]++;
        }
        using (SharedLockScope held = array.AcquireWrite(Peer.Patience))
        {
            stopped.Continue();
            Thread.Sleep(50);
            // What it still had to do was to wake others: the lock is this thread's.
            Assert.Equal(Environment.ProcessId, array.WriterProcessId);
            Assert.Equal(101, array[0]);
        }
        Assert.Equal(0, stopped.WaitForExit());
        Assert.Equal((110, 110), (array[0], array[1]));
    }

    /// <summary>"A joiner maps before the header is written; the locks are check-then-reset, and two can have one."</summary>
    [Fact]
    public void D30_a_joiner_sees_a_whole_object_and_a_lock_is_one_holders()
    {
        using Peer maker = Peer.StartToStop(_site, ProtocolStep.SharedFileWritten, 1, "shared-open", "length=2").WaitForStop();
        Assert.Equal(QueueError.NotFound, Assert.Throws<QueueException>(() => SharedArray<long>.OpenFile(File)).Reason);
        using var array = SharedArray<long>.OpenFile(File, 2);
        maker.Kill();
        Peer[] counting = [.. Enumerable.Range(0, 3).Select(_ => Peer.Start(_site, "shared-count", "count=20000"))];
        foreach (Peer peer in counting)
        {
            Assert.Equal(0, peer.WaitForExit());
            peer.Dispose();
        }
        Assert.Equal((60_000, 60_000), (array[0], array[1]));
    }

    private Peer StartUpdates() => Peer.Start(_site, "shared-update", "count=20000");

    public void Dispose() => _site.Dispose();
}
