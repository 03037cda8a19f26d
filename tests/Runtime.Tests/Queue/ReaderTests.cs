using System.Runtime.InteropServices;
using BlitQueue.Log;
using BlitQueue.Peer;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Who may only read, and who may at all.</summary>
[Collection(ProcessCollection.Name)]
public sealed class ReaderTests : IDisposable
{
    // Milliseconds that a slow machine may need.
    private const long Patience = 60_000;

    private const UnixFileMode ForAllToRead = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead
        | UnixFileMode.OtherRead;

    private readonly Site _site = new();

    [Fact]
    public void A_reader_reads_what_is_there_and_what_comes()
    {
        using MappedQueue<Parcel> queue = Fill(300);
        queue.Enqueue(new Parcel().Fill(1, 300, 100_000));
        using var reader = QueueReader<Parcel>.Open(_site.Queue);
        Assert.Equal(301, Count(reader));
        queue.Enqueue(new Parcel().Fill(1, 301, 10));
        QueuePosition last = reader.Position;
        Assert.Equal(1, Count(reader));
        reader.Seek(last);
        Assert.True(reader.TryReadBytes(out LeasedBytes bytes));
        using (bytes)
        {
            Assert.Equal(301, Packer.Unpack<Parcel>(bytes.Span)!.Number);
        }
        reader.Seek(QueuePosition.Newest);
        Assert.Equal(0, Count(reader));
    }

    [Fact]
    public void A_segment_that_is_deleted_under_a_reader_is_told()
    {
        using MappedQueue<Parcel> queue = Fill(300);
        using var reader = QueueReader<Parcel>.Open(_site.Queue);
        Parcel? parcel = null;
        Assert.True(reader.TryRead(ref parcel));
        queue.Purge();
        Assert.Contains(
            "no longer on disk", Assert.Throws<QueueException>(() => reader.TryRead(ref parcel)).Message, StringComparison.Ordinal);
        reader.Seek(QueuePosition.Oldest);
        queue.Enqueue(new Parcel().Fill(2, 7, 10));
        long last = -1;
        while (reader.TryRead(ref parcel))
        {
            Assert.True(parcel!.IsIntact());
            last = parcel.Number;
        }
        Assert.Equal(7, last);
    }

    // Their files become later segments in the middle of a look: then the bytes are those of other messages, and nothing is damaged.
    [Theory]
    [InlineData(nameof(QueueReader<>.TryRead))]
    [InlineData(nameof(QueueReader<>.TryReadBytes))]
    [InlineData(nameof(QueueLook))]
    public async Task Segments_that_are_used_anew_under_a_reader_are_not_called_damaged(string call)
    {
        using var queue = MappedQueue<Parcel>.Open(
            _site.Queue, new QueueOptions { SegmentSize = 64 << 10, Capacity = 256 << 10 });
        using var ended = new CancellationTokenSource();
        var traffic = Task.Run(() => SendAndConsume(queue, ended.Token));
        try
        {
            using var reader = QueueReader<Parcel>.Open(_site.Queue);
            using var look = QueueLook.Open(_site.Queue);
            look.Seek(QueuePosition.Oldest);
            int gone = 0;
            // Longer only where the others have not got ahead by then.
            for (long began = Environment.TickCount64, time = 0; time < 3000 || (gone == 0 && time < Patience);
                time = Environment.TickCount64 - began)
            {
                try
                {
                    ReadOn(call, reader, look);
                    // At the queue's end: so that the others get ahead.
                    Thread.Sleep(1);
                }
                catch (QueueException exception) when (exception.Reason == QueueError.PositionGone)
                {
                    gone++;
                    reader.Seek(QueuePosition.Oldest);
                    look.Seek(QueuePosition.Oldest);
                }
            }
            Assert.NotEqual(0, gone);
        }
        finally
        {
            await ended.CancelAsync();
            await traffic;
        }
    }

    private static void SendAndConsume(MappedQueue<Parcel> queue, CancellationToken ended)
    {
        Parcel sent = new Parcel().Fill(1, 1, 500);
        var properties = new MessageProperties { CorrelationId = "a text" };
        Parcel? received = null;
        while (!ended.IsCancellationRequested)
        {
            queue.Enqueue(sent);
            queue.Enqueue(sent, properties);
            while (queue.TryDequeue(ref received))
            {
            }
        }
    }

    private static void ReadOn(string call, QueueReader<Parcel> reader, QueueLook look)
    {
        if (call == nameof(QueueLook))
        {
            var message = new StoredMessage();
            while (look.TryRead(message))
            {
            }
            return;
        }
        Parcel? parcel = null;
        while (call == nameof(QueueReader<>.TryRead) && reader.TryRead(ref parcel))
        {
        }
        while (call == nameof(QueueReader<>.TryReadBytes) && reader.TryReadBytes(out LeasedBytes bytes))
        {
            bytes.Dispose();
        }
    }

    [Fact]
    public void After_a_restart_a_reader_needs_nobody_who_recovers()
    {
        Fill(300).Dispose();
        using (FileStream file = File.OpenWrite(_site.File(StoreFormat.ControlName)))
        {
            file.Position = ControlFormat.BootOffset;
            file.Write("another system"u8);
        }
        using var reader = QueueReader<Parcel>.Open(_site.Queue);
        Assert.Equal(300, Count(reader));
        reader.Seek(reader.Position);
        Assert.Equal(0, Count(reader));
        reader.Seek(QueuePosition.Newest);
        Assert.Equal(0, Count(reader));
    }

    [Fact]
    public void A_reader_makes_nothing()
    {
        Assert.Throws<QueueException>(() => QueueReader<Parcel>.Open(_site.Queue));
        Assert.False(Directory.Exists(_site.Queue));
        Fill(1).Dispose();
        Assert.Throws<SchemaMismatchException>(() => QueueReader<Letter>.Open(_site.Queue));
    }

    [Fact]
    public void Another_user_reads_where_that_was_asked_for_and_cannot_enqueue()
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            return;
        }
        File.SetUnixFileMode(_site.Root, File.GetUnixFileMode(_site.Root) | UnixFileMode.OtherExecute | UnixFileMode.GroupExecute);
        Fill(300, ForAllToRead).Dispose();
        Assert.StartsWith("read 300", Processes.Peer.RunAsNobody(_site, "read"), StringComparison.Ordinal);
        Assert.Contains("no right", Processes.Peer.RunAsNobody(_site, "produce"), StringComparison.Ordinal);
    }

    [Fact]
    public void Another_user_does_not_read_unless_asked()
    {
        if (!OperatingSystem.IsLinux() || Environment.UserName != "root")
        {
            return;
        }
        File.SetUnixFileMode(_site.Root, File.GetUnixFileMode(_site.Root) | UnixFileMode.OtherExecute | UnixFileMode.GroupExecute);
        Fill(300).Dispose();
        Assert.StartsWith("QueueException: ", Processes.Peer.RunAsNobody(_site, "read"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(18)]
    [InlineData(63)]
    public void Files_have_the_rights_that_were_asked_for_whatever_the_mask(uint mask)
    {
        if (OperatingSystem.IsWindows())
        {
            return;
        }
        uint before = SetMask(mask);
        try
        {
            Fill(300).Dispose();
            foreach (string path in Directory.EnumerateFiles(_site.Queue))
            {
                Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
            }
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(_site.Queue));
            Directory.Delete(_site.Queue, recursive: true);
            Fill(300, ForAllToRead).Dispose();
            foreach (string path in Directory.EnumerateFiles(_site.Queue))
            {
                Assert.Equal(ForAllToRead, File.GetUnixFileMode(path));
            }
        }
        finally
        {
            SetMask(before);
        }
    }

    private MappedQueue<Parcel> Fill(int count, UnixFileMode mode = UnixFileMode.UserRead | UnixFileMode.UserWrite)
    {
        var queue = MappedQueue<Parcel>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16, FileMode = mode });
        for (int number = 0; number < count; number++)
        {
            queue.Enqueue(new Parcel().Fill(1, number, 300));
        }
        return queue;
    }

    private static int Count(QueueReader<Parcel> reader)
    {
        Parcel? parcel = null;
        int count = 0;
        for (; reader.TryRead(ref parcel); count++)
        {
            Assert.True(parcel!.IsIntact());
        }
        return count;
    }

    [DllImport("libc", EntryPoint = "umask")]
    private static extern uint SetMask(uint mask);

    public void Dispose() => _site.Dispose();
}
