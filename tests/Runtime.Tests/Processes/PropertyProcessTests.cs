using System.Buffers.Binary;
using System.Globalization;
using System.Text;
using BlitQueue.Log;
using BlitQueue.Tests.Queue;
using Xunit;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Records with properties, between plain ones, when their producer is killed, the machine went down, or bytes are damaged.
/// </summary>
[Collection(ProcessCollection.Name)]
public sealed class PropertyProcessTests : IDisposable
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    private readonly Site _site = new(inMemory: true);

    [Theory]
    [InlineData(nameof(ProtocolStep.AppendPacked), 7)]
    [InlineData(nameof(ProtocolStep.AppendNextSealed), 7)]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten), 1)]
    [InlineData(nameof(ProtocolStep.AppendBatchWritten), 2)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 6)]
    [InlineData(nameof(ProtocolStep.AppendPublished), 7)]
    [InlineData(nameof(ProtocolStep.AppendTailMoved), 8)]
    [InlineData(nameof(ProtocolStep.RollPadPublished), 2)]
    [InlineData(nameof(ProtocolStep.RollTailMoved), 2)]
    public void A_killed_producers_messages_are_there_with_their_properties(string stepName, int time)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small);
        string log;
        using (var peer = Peer.StartToDie(_site, Enum.Parse<ProtocolStep>(stepName), time, "properties", "size=500"))
        {
            peer.WaitForDeath();
            log = peer.LogPath;
        }
        queue.Enqueue(new Parcel().Fill(2, 0, 10), PropertyTests.All());
        long acknowledged = File.ReadLines(log).LongCount();
        long found = AssertMixed(queue);
        Assert.InRange(found, acknowledged, acknowledged + 2);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void After_a_restart_of_the_machine_they_are_there(bool controlLost)
    {
        Write(200);
        if (controlLost)
        {
            File.Delete(_site.File(StoreFormat.ControlName));
        }
        else
        {
            PretendRestart();
        }
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        Assert.Equal(200, queue.GetStatus().MessageCount);
        queue.Enqueue(new Parcel().Fill(2, 0, 10), PropertyTests.All());
        Assert.Equal(200, AssertMixed(queue));
    }

    // The damaged record is the one of number 101, which has properties; what came before it counts, and what is whole behind it.
    [Fact]
    public void A_record_that_reached_the_disk_in_part_is_a_hole()
    {
        Write(200);
        (long position, int length) = Find(101);
        Overwrite(position + RecordFormat.HeaderSize + length - 3, [0xEE]);
        PretendRestart();
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        queue.Enqueue(new Parcel().Fill(2, 0, 10), PropertyTests.All());
        Parcel? parcel = null;
        var properties = new MessageProperties();
        var numbers = new List<long>();
        Assert.Throws<QueueCorruptException>(ReadOn);
        Assert.Equal(101, numbers.Count);
        Assert.True(queue.SkipCorrupt());
        ReadOn();
        Assert.Equal(
            [.. Enumerable.Range(0, 200).Select(static number => (long)number).Where(static number => number != 101), 0L], numbers);

        void ReadOn()
        {
            while (queue.TryDequeue(ref parcel, properties))
            {
                numbers.Add(parcel!.Number);
            }
        }
    }

    // Without checksums nothing but the bytes themselves can be looked at.
    [Theory]
    [InlineData(0, 0xFF)]
    [InlineData(1, 0xFF)]
    [InlineData(0, 0x00)]
    [InlineData(8, 0xFF)]
    [InlineData(12, 0xFF)]
    public void Properties_that_are_none_are_damage_which_can_be_stepped_over(int offset, byte value)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue, Small with { UseChecksums = false });
        queue.Enqueue(new Parcel().Fill(1, 1, 10), new MessageProperties { Label = "abc" });
        queue.Enqueue(new Parcel().Fill(1, 2, 10));
        Overwrite(SegmentFormat.PageSize + RecordFormat.HeaderSize + offset, [value]);
        Parcel? parcel = null;
        var properties = new MessageProperties();
        QueueCorruptException corrupt = Assert.Throws<QueueCorruptException>(() => queue.TryDequeue(ref parcel, properties));
        Assert.Equal(SegmentFormat.PageSize, corrupt.Offset);
        Assert.True(queue.SkipCorrupt() || offset == 12);
        while (queue.TryDequeue(ref parcel))
        {
        }
        Assert.Equal(2, parcel!.Number);
    }

    private static long AssertMixed(MappedQueue<Parcel> queue)
    {
        Parcel? parcel = null;
        var properties = new MessageProperties();
        long next = 0;
        while (queue.TryDequeue(ref parcel, properties))
        {
            Assert.True(parcel!.IsIntact());
            if (parcel.Producer == 2)
            {
                PropertyTests.AssertSame(PropertyTests.All(), properties);
                Assert.Equal(0, queue.GetStatus().MessageCount);
                return next;
            }
            Assert.Equal(next, parcel.Number);
            long named = next % 5 == 4 ? next - 1 : next;
            PropertyTests.AssertSame(
                next % 5 == 0
                    ? new MessageProperties()
                    : new MessageProperties
                    {
                        Label = "mixed",
                        CorrelationId = named.ToString(CultureInfo.InvariantCulture),
                        Headers = { ["tenant"] = "acme" },
                    },
                properties);
            next++;
        }
        throw new InvalidOperationException("What was enqueued last is lost.");
    }

    private void Write(int count)
    {
        MappedQueue<Parcel>.Open(_site.Queue, Small).Dispose();
        using var peer = Peer.Start(_site, "properties", $"count={count}", "size=500");
        Assert.Equal(0, peer.WaitForExit());
    }

    private void PretendRestart()
    {
        using FileStream control = OpenFile(StoreFormat.ControlName);
        control.Position = ControlFormat.BootOffset;
        control.Write(Encoding.ASCII.GetBytes("another boot of this machine"));
    }

    private (long Position, int Length) Find(int number)
    {
        using var queue = MappedQueue<Parcel>.Open(_site.Queue);
        // A cursor, which takes nothing: what a consumer had passed could be gone before it is looked for again.
        using QueueCursor<Parcel> cursor = queue.OpenCursor(QueuePosition.Oldest);
        Parcel? parcel = null;
        long position;
        do
        {
            Assert.True(cursor.TryRead(ref parcel, out QueuePosition at));
            position = at.Value;
        }
        while (parcel!.Number != number);
        byte[] word = new byte[8];
        using FileStream segment = OpenFile(StoreFormat.SegmentName(position & ~0xFFFFL));
        segment.Position = position & 0xFFFF;
        segment.ReadExactly(word);
        long header = BinaryPrimitives.ReadInt64LittleEndian(word);
        Assert.Equal(RecordKind.DataWithProperties, RecordFormat.Kind(header));
        return (position, RecordFormat.Length(header));
    }

    private FileStream OpenFile(string name)
        => File.Open(_site.File(name), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete);

    private void Overwrite(long position, byte[] bytes)
    {
        using FileStream segment = OpenFile(StoreFormat.SegmentName(position & ~0xFFFFL));
        segment.Position = position & 0xFFFF;
        segment.Write(bytes);
    }

    public void Dispose() => _site.Dispose();
}
