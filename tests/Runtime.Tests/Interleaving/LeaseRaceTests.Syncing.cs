using System.Buffers.Binary;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Tests.Interleaving;

/// <content>What is on the disk of a subscription's leases when its sync returns, whatever others do meanwhile.</content>
public sealed partial class LeaseRaceTests
{
    // A durable transaction syncs the subscription that it has received from, while another thread syncs it to give a segment up.
    [Fact]
    public void What_was_leased_is_on_the_disk_when_a_sync_returns_though_another_has_not_ended() => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 2);
        using var disk = new SubscriptionOnDisk();
        Assert.True(x.Call(() => x.Leases.TryTake(out _)));
        var commit = HaltedThread.Begin(first, x.Work(x.File.Sync<HaltingMemory>));
        var other = HaltedThread.Begin(second, a.Work(a.File.Sync<HaltingMemory>));
        long leased = SubscriptionFormat.Position(x.File.Next);
        commit.Finish();

        Assert.Equal(leased, disk.TrustedNext);
        other.Finish();
        Assert.Equal(leased, disk.TrustedNext);
        return (commit.WasHalted, other.WasHalted);
    });

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(3)]
    public void What_was_leased_is_on_the_disk_when_a_sync_returns_though_another_thread_seeks(int target) => Each((first, second) =>
    {
        (Handle x, Handle a) = Two(messages: 3);
        using var disk = new SubscriptionOnDisk();
        long start = SubscriptionFormat.Position(x.File.Next);
        Assert.True(x.Call(() => x.Leases.TryTake(out _) && x.Leases.TryTake(out _)));
        long leased = SubscriptionFormat.Position(x.File.Next), length = (leased - start) / 2;
        var sync = HaltedThread.Begin(first, x.Work(x.File.Sync<HaltingMemory>));
        var seek = HaltedThread.Begin(second, a.Work(() => a.Cursor.MoveTo(start + (target * length))));
        sync.Finish();

        // What a seek back delivers again, a power loss may deliver again.
        Assert.True(disk.TrustedNext >= Math.Min(leased, start + (target * length)), $"{disk.TrustedNext}, {leased}");
        seek.Finish();
        return (sync.WasHalted, seek.WasHalted);
    });

    // What is leased behind the seek is not on the disk before the next sync.
    [Fact]
    public void A_sync_in_the_middle_of_a_seek_back_does_not_call_later_leases_durable()
    {
        bool isHalted = true;
        for (int write = 1; isHalted; write++)
        {
            (Handle x, Handle a) = Two(messages: 2);
            long first = SubscriptionFormat.Position(x.File.Next);
            Assert.True(x.Call(() => x.Leases.TryTake(out _) && x.Leases.TryTake(out _)));
            var seek = HaltedThread.Begin(write, a.Work(() => a.Cursor.MoveTo(first)));
            x.Call(x.File.Sync<HaltingMemory>);
            seek.Finish();
            Assert.True(x.Call(() => x.Leases.TryTake(out _)));

            Assert.Equal(first, x.File.DurableLeasesNext);
            isHalted = seek.WasHalted;
        }
    }

    // A consumer that wants the newest message alone seeks more often than a slow disk syncs; durable transactions go on.
    [Fact]
    public void A_sync_ends_though_each_time_another_thread_seeks_forward()
    {
        (Handle x, Handle a) = Two(messages: 20);
        long start = SubscriptionFormat.Position(x.File.Next);
        Assert.True(x.Call(() => x.Leases.TryTake(out _)));
        long leased = SubscriptionFormat.Position(x.File.Next), length = leased - start;
        int syncs = 0;
        HaltingMemory.Synced = (_, _, _) =>
        {
            if (++syncs < 20)
            {
                a.Call(() => a.Cursor.MoveTo(start + (syncs * length)));
            }
        };
        try
        {
            x.Call(x.File.Sync<HaltingMemory>);
        }
        finally
        {
            HaltingMemory.Synced = null;
        }

        // All of it once, and the word that says so.
        Assert.Equal(2, syncs);
        Assert.True(x.File.DurableLeasesNext >= leased);
    }

    // The pages as the last syncs have brought them to the disk.
    private sealed class SubscriptionOnDisk : IDisposable
    {
        private readonly byte[] _pages = new byte[SubscriptionFormat.Size];

        public SubscriptionOnDisk() => HaltingMemory.Synced = Take;

        public long TrustedNext => Math.Min(
            SubscriptionFormat.Position(BinaryPrimitives.ReadInt64LittleEndian(_pages.AsSpan(SubscriptionFormat.NextOffset))),
            Settled(_pages));

        public static long Settled(ReadOnlySpan<byte> pages) => SubscriptionFormat.MessagePosition(
            BinaryPrimitives.ReadInt64LittleEndian(pages[SubscriptionFormat.DurableLeasesOffset..]));

        public void Dispose() => HaltingMemory.Synced = null;

        private void Take(MappedRegion region, long start, long end)
        {
            lock (_pages)
            {
                region.Bytes(start, (int)(end - start)).CopyTo(_pages.AsSpan((int)start));
            }
        }
    }
}
