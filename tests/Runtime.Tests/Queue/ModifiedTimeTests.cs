using System.ComponentModel;
using System.Diagnostics;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Programs that copy what has changed since the last time see by the files' times that it has.</summary>
public sealed class ModifiedTimeTests : QueueFixture
{
    private const int First = 20, All = 40;

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_copy_that_is_brought_up_to_date_after_the_end_misses_nothing(int flushes)
    {
        if (!HasRsync)
        {
            return;
        }
        string copy = Path.Combine(Site.Root, "copy");
        using (MappedQueue<Note> queue = Open())
        {
            Enqueue(queue, 0, First);
            for (int i = 0; i < flushes; i++)
            {
                queue.Flush();
            }
            Rsync(copy);
            Enqueue(queue, First, All);
            Note? note = null;
            Assert.True(queue.TryDequeue(ref note));
        }
        Rsync(copy);
        using var copied = MappedQueue<Note>.Open(copy);
        Assert.Equal(Enumerable.Range(1, All - 1).Select(static id => (long)id), Drain(copied));
    }

    [Fact]
    public void A_copy_is_brought_up_to_date_after_each_end()
    {
        if (!HasRsync)
        {
            return;
        }
        string copy = Path.Combine(Site.Root, "copy");
        for (int round = 0; round < 5; round++)
        {
            using (MappedQueue<Note> queue = Open())
            {
                Enqueue(queue, round * 3, (round * 3) + 3);
                Note? note = null;
                Assert.True(queue.TryDequeue(ref note));
            }
            Rsync(copy);
            Assert.Equal(Contents(Site.Queue), Contents(copy));
        }
    }

    [Fact]
    public void The_times_of_all_files_move_at_a_flush_and_at_the_end()
    {
        string[] files;
        DateTime[] flushed;
        using (MappedQueue<Note> queue = Open())
        {
            Enqueue(queue, 0, 3);
            files = Written();
            DateTime[] before = Times(files);
            queue.Flush();
            flushed = Times(files);
            Assert.All(before.Zip(flushed), static pair => Assert.True(pair.First < pair.Second));
            Enqueue(queue, 3, 6);
        }
        Assert.All(flushed.Zip(Times(files)), static pair => Assert.True(pair.First < pair.Second));
    }

    [Fact]
    public void The_time_of_a_segment_moves_when_it_is_left()
    {
        using MappedQueue<Note> queue = Open();
        Enqueue(queue, 0, 3);
        string first = SegmentFiles()[0];
        // As if copied in this second: what is written later to the same pages does not move it.
        DateTime before = File.GetLastWriteTimeUtc(first);
        for (int id = 3; SegmentFiles().Length < 4; id++)
        {
            queue.Enqueue(Of(id, 1000));
        }
        Assert.True(File.GetLastWriteTimeUtc(first) >= Whole(before).AddSeconds(1));
    }

    private static DateTime Whole(DateTime time) => new(time.Ticks - (time.Ticks % TimeSpan.TicksPerSecond), DateTimeKind.Utc);

    private static void Enqueue(MappedQueue<Note> queue, int first, int end)
    {
        for (int id = first; id < end; id++)
        {
            queue.Enqueue(Of(id));
        }
    }

    private string[] Written() =>
        [.. Directory.GetFiles(Site.Queue).Where(static path => Path.GetFileName(path) is "queue.control" or "subscription-default"),
            SegmentFiles()[0]];

    private static DateTime[] Times(string[] files) => [.. files.Select(static file => Whole(File.GetLastWriteTimeUtc(file)))];

    private static Dictionary<string, string> Contents(string directory)
        => Directory.GetFiles(directory).Where(static path => Path.GetExtension(path) != ".lock").ToDictionary(
        static path
            => Path.GetFileName(path), static path => Convert.ToHexString(
                System.Security.Cryptography.SHA256.HashData(Processes.Site.Read(path))));

    private static bool HasRsync
    {
        get
        {
            try
            {
                using Process process = Process.Start(new ProcessStartInfo("rsync", "--version") { RedirectStandardOutput = true })!;
                process.StandardOutput.ReadToEnd();
                return true;
            }
            catch (Win32Exception)
            {
                return false;
            }
        }
    }

    private void Rsync(string copy)
    {
        using Process process = Process.Start(new ProcessStartInfo("rsync", ["-a", "--delete", Site.Queue + "/",
            copy + "/"])
        { RedirectStandardError = true })!;
        string error = process.StandardError.ReadToEnd();
        process.WaitForExit();
        Assert.True(process.ExitCode == 0, error);
    }
}
