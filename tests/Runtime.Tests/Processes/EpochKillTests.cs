using System.Text;
using BlitQueue.Log;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>A recovery that is killed while it writes the epochs, beside a slot that was damaged before.</summary>
[Collection(ProcessCollection.Name)]
public sealed class EpochKillTests
{
    [Theory]
    [InlineData(1, null)]
    [InlineData(2, null)]
    [InlineData(1, 0)]
    [InlineData(1, 1)]
    [InlineData(2, 0)]
    [InlineData(2, 1)]
    public void No_message_loses_its_name(int time, int? damaged)
    {
        using var site = new Site();
        Append(site);
        Restart(site);
        Append(site);
        Restart(site);
        IReadOnlyList<QueueEpoch> before = Append(site);
        if (damaged is { } slot)
        {
            site.Overwrite(
                StoreFormat.ControlName, ControlFormat.EpochsOffset + (slot * ControlFormat.EpochSlotSize) + sizeof(long), [0x5A]);
        }
        Restart(site);
        Kill(site, time);
        IReadOnlyList<QueueEpoch> after = Append(site);
        Assert.Equal(before, after.Take(before.Count));
        Assert.InRange(after.Count, before.Count + 1, before.Count + 2);
        Assert.Empty(MappedQueue.Verify(site.Queue).Findings);
    }

    /// <summary>Killed in the second slot, the first one is damaged, and killed again: a lost table must not look like none.</summary>
    [Fact]
    public void A_lost_table_stays_lost_until_there_is_another_one()
    {
        using var site = new Site();
        Append(site);
        Restart(site);
        IReadOnlyList<QueueEpoch> before = Append(site);
        Restart(site);
        Kill(site, time: 2);
        for (int slot = 0; slot < 2; slot++)
        {
            int start = ControlFormat.EpochsOffset + (slot * ControlFormat.EpochSlotSize);
            if (BitConverter.ToInt64(File.ReadAllBytes(site.File(StoreFormat.ControlName)), start + ControlFormat.EpochSlotSize - 8) != -1)
            {
                site.Overwrite(StoreFormat.ControlName, start + sizeof(long), [0x5A]);
            }
        }
        Kill(site, time: 1);
        IReadOnlyList<QueueEpoch> after = Append(site);
        Assert.Empty(after.Select(static one => one.Id).Intersect(before.Select(static one => one.Id)));
    }

    private static void Kill(Site site, int time)
    {
        using var peer = Peer.StartToDie(site, ProtocolStep.RecoveryEpochWritten, time, "produce");
        peer.WaitForDeath();
    }

    private static IReadOnlyList<QueueEpoch> Append(Site site)
    {
        using var queue = MappedQueue<Parcel>.Open(site.Queue, new QueueOptions { SegmentSize = 1 << 16 });
        for (int number = 0; number < 10; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 100));
        }
        return queue.Epochs;
    }

    private static void Restart(Site site) =>
        site.Overwrite(StoreFormat.ControlName, ControlFormat.BootOffset, Encoding.ASCII.GetBytes("another boot of this machine"));
}
