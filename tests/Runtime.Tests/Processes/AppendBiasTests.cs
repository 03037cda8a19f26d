using System.Buffers.Binary;
using BlitQueue.Log;
using BlitQueue.Memory;
using Xunit;
using Xunit.Abstractions;

namespace BlitQueue.Tests.Processes;

/// <summary>A thread that appends alone has the append lock biased to it; who else needs the lock revokes that.</summary>
public sealed class AppendBiasTests(ITestOutputHelper output) : IDisposable
{
    // Many more than make a bias.
    private const int Many = 2_000;

    private readonly Site _site = new(inMemory: true);
    private readonly Parcel _parcel = new();

    [Fact]
    public void A_thread_that_appends_alone_gets_the_bias_and_the_end_of_its_handle_gives_it_up()
    {
        using var look = MappedQueue<Parcel>.Open(_site.Queue);
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue))
        {
            Append(queue, 0, Many);
            Assert.Equal(MachineMemory.SleepersPay, LockWord.IsBiased(AppendLock));
            Append(queue, Many, 1);
            Assert.Equal(0, Word(InsideOffsetOf(AppendLock)));
        }
        Assert.Equal(0, AppendLock);
        AssertInOrder(Many + 1);
    }

    [Fact]
    public void Another_handle_and_another_thread_revoke_the_bias_again_and_again()
    {
        int number = 0;
        using (var queue = MappedQueue<Parcel>.Open(_site.Queue))
        using (var other = MappedQueue<Parcel>.Open(_site.Queue))
        {
            for (int round = 0; round < 3; round++)
            {
                number = Append(queue, number, Many << (2 * round));
                Assert.Equal(MachineMemory.SleepersPay, LockWord.IsBiased(AppendLock));
                number = Append(other, number, 1);
                Assert.Equal(0, AppendLock);
                number = Append(queue, number, Many << (2 * round));
                Assert.Equal(MachineMemory.SleepersPay, LockWord.IsBiased(AppendLock));
                number = OnAnotherThread(() => Append(queue, number, 1));
                Assert.Equal(0, AppendLock);
            }
        }
        AssertInOrder(number);
    }

    // The queue takes nothing while it is elsewhere, though the thread needs no look at the lock.
    [Fact]
    public void A_thread_with_the_bias_is_refused_once_the_directory_is_another_place()
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        int number = Append(queue, 0, Many);
        string elsewhere = _site.Queue + "-elsewhere";
        Directory.Move(_site.Queue, elsewhere);
        Exception? refusal = null;
        for (long began = Environment.TickCount64; refusal is null && Environment.TickCount64 - began < Peer.Patience.TotalMilliseconds;)
        {
            refusal = Record.Exception(() => Append(queue, number, 1));
            number += refusal is null ? 1 : 0;
        }
        Assert.IsAssignableFrom<QueueException>(refusal);
        Directory.Move(elsewhere, _site.Queue);
        Assert.True(SpinWait.SpinUntil(() => Record.Exception(() => Append(queue, number, 1)) is null, Peer.Patience));
        number = Append(queue, number + 1, Many);
        queue.Dispose();
        AssertInOrder(number);
    }

    // Before anybody looks at what the dead one has left, another handle gets its index.
    [Theory]
    [InlineData(nameof(ProtocolStep.AppendLockAcquired), true)]
    [InlineData(nameof(ProtocolStep.AppendPacked), true)]
    [InlineData(nameof(ProtocolStep.AppendPublished), true)]
    [InlineData(nameof(ProtocolStep.AppendTailMoved), true)]
    [InlineData(nameof(ProtocolStep.AppendLockReleased), false)]
    public void A_process_that_is_killed_with_the_bias_loses_nothing(string step, bool isInside)
    {
        using var survivor = new Survivor(_site);
        using var peer = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(step), Many, "produce", "producer=1");
        peer.WaitForDeath();
        long biased = AppendLock;
        Assert.Equal(MachineMemory.SleepersPay, LockWord.IsBiased(biased));
        Assert.Equal(MachineMemory.SleepersPay && isInside ? 1 : 0, Word(InsideOffsetOf(biased)));
        using (MappedQueue<Parcel>.Open(_site.Queue))
        {
            Assert.Equal(0, Word(InsideOffsetOf(biased)));
            survivor.GoOn();
        }
        survivor.History.ReadLog(peer.LogPath);
        survivor.History.KilledProducer(1, 1);
        survivor.Drain();
        survivor.AssertNoFaults();
        survivor.Report(output);
        Assert.NotEqual(0, Word(ControlFormat.RepairsOffset));
    }

    [Fact]
    public void A_process_that_is_stopped_inside_keeps_the_lock_and_is_named()
    {
        using var survivor = new Survivor(_site, new QueueOptions { StallTimeout = TimeSpan.FromSeconds(1) });
        using var stopped = Peer.StartToStop(_site, ProtocolStep.AppendPacked, Many, "produce", "producer=1", $"count={Many + 10}");
        stopped.WaitForStop();
        QueueStalledException stalled = Assert.Throws<QueueStalledException>(() => survivor.Queue.Enqueue(_parcel.Fill(9, 9, 9)));
        Assert.Equal(stopped.Id, stalled.ProcessId);
        Assert.Throws<QueueStalledException>(() => survivor.Queue.Enqueue(_parcel.Fill(9, 9, 9)));
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        EndWell(survivor, stopped);
    }

    // The word would tell of a bias that was never granted, to a thread that is not inside.
    [Theory]
    [InlineData(48)]
    [InlineData(50)]
    [InlineData(62)]
    public void A_damaged_word_of_a_lock_that_is_held_lets_nobody_in(int bit)
    {
        using var survivor = new Survivor(_site, new QueueOptions { StallTimeout = TimeSpan.FromSeconds(1) });
        using var stopped = Peer.StartToStop(_site, ProtocolStep.AppendPacked, 5, "produce", "producer=1", "count=10");
        stopped.WaitForStop();
        SetAppendLock(AppendLock | (1L << bit));
        QueueStalledException stalled = Assert.Throws<QueueStalledException>(() => survivor.Queue.Enqueue(_parcel.Fill(9, 9, 9)));
        Assert.Equal(stopped.Id, stalled.ProcessId);
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        EndWell(survivor, stopped);
    }

    [Fact]
    public void A_process_that_is_stopped_outside_delays_nobody()
    {
        using var survivor = new Survivor(_site);
        using var stopped = Peer.StartToStop(
            _site, ProtocolStep.AppendLockReleased, Many, "produce", "producer=1", $"count={3 * Many}");
        stopped.WaitForStop();
        Assert.Equal(MachineMemory.SleepersPay, LockWord.IsBiased(AppendLock));
        survivor.GoOn();
        survivor.GoOn();
        stopped.Continue();
        Assert.Equal(0, stopped.WaitForExit());
        EndWell(survivor, stopped);
    }

    // Who revokes a bias and dies or stops there is in nobody's way: each who waits may end the bias.
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_process_that_revokes_the_bias_and_goes_no_further_delays_nobody(bool dies)
    {
        using var survivor = new Survivor(_site);
        for (int number = 0; number < Many; number++)
        {
            survivor.Enqueue();
        }
        Assert.Equal(MachineMemory.SleepersPay, LockWord.IsBiased(AppendLock));
        if (!MachineMemory.SleepersPay)
        {
            return;
        }
        using Peer peer = dies
            ? Peer.StartToDie(_site, ProtocolStep.BiasRevoked, 1, "produce", "producer=1", "count=100")
            : Peer.StartToStop(_site, ProtocolStep.BiasRevoked, 1, "produce", "producer=1", "count=100");
        if (dies)
        {
            peer.WaitForDeath();
        }
        else
        {
            peer.WaitForStop();
        }
        Assert.True(LockWord.IsRevoked(AppendLock));
        survivor.GoOn();
        for (int number = 0; number < 8 * Many; number++)
        {
            survivor.Enqueue();
        }
        if (!dies)
        {
            peer.Continue();
            Assert.Equal(0, peer.WaitForExit());
        }
        EndWell(survivor, peer);
    }

    private static void EndWell(Survivor survivor, Peer peer)
    {
        survivor.Enqueue();
        survivor.Drain();
        survivor.History.ReadLog(peer.LogPath);
        survivor.AssertNoFaults();
    }

    private int Append(MappedQueue<Parcel> queue, int number, int count)
    {
        for (int end = number + count; number < end; number++)
        {
            queue.Enqueue(_parcel.Fill(1, number, 10));
        }
        return number;
    }

    private static int OnAnotherThread(Func<int> work)
    {
        int result = 0;
        var thread = new Thread(() => result = work());
        thread.Start();
        thread.Join();
        return result;
    }

    private void AssertInOrder(int count)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Parcel? parcel = null;
        for (int number = 0; number < count; number++)
        {
            Assert.True(queue.TryDequeue(ref parcel), $"message {number} of {count} is missing");
            Assert.True(parcel.Number == number && parcel.IsIntact(), $"{parcel.Number} instead of {number}");
        }
        Assert.False(queue.TryDequeue(ref parcel));
    }

    private long AppendLock => Word(ControlFormat.LockOwnerOffset);

    private static long InsideOffsetOf(long word) => ControlFormat.ParticipantsOffset + ControlFormat.InsideOffset
        + (Math.Max(0, ControlFormat.ParticipantIndex(LockWord.OwnerOf(word))) * ControlFormat.ParticipantSize);

    private void SetAppendLock(long word)
    {
        using FileStream control = File.Open(_site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        byte[] bytes = new byte[sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, word);
        control.Position = ControlFormat.LockOwnerOffset;
        control.Write(bytes);
    }

    private long Word(long offset)
    {
        using FileStream control = File.Open(_site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        byte[] word = new byte[sizeof(long)];
        control.Position = offset;
        control.ReadExactly(word);
        return BinaryPrimitives.ReadInt64LittleEndian(word);
    }

    public void Dispose() => _site.Dispose();
}
