using BlitQueue.Segments;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>A word of the control file is damaged and names segments that are far away: nobody looks for each of those in between.</summary>
public sealed class FarWordsTests : QueueFixture
{
    // Segments up to there, if each were looked for: 2^44.
    private const long Far = 1L << 60;

    public static TheoryData<string, int> Cases
    {
        get
        {
            TheoryData<string, int> cases = [];
            foreach (string work in new[] { "dequeue", "skip", "status", "enqueue", "large", "purge", "close" })
            {
                foreach (int word in new[] { ControlFormat.TailOffset, ControlFormat.ReadyOffset, ControlFormat.KeptOffset })
                {
                    cases.Add(work, word);
                }
            }
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task No_call_goes_through_all_that_a_damaged_word_names(string work, int word)
    {
        MappedQueue<Note> queue = Open(new QueueOptions { SegmentSize = 1 << 16, Durability = work == "close" ? Durability.Interval : Durability.PageCache });
        for (int id = 0; id < 1000; id++)
        {
            queue.Enqueue(Of(id, 200));
        }
        Drain(queue);
        long before = Word(word);
        // Of what is kept a smaller index is as far away: the consumers have passed all from there on.
        SetWord(word, word == ControlFormat.KeptOffset ? 0 : word == ControlFormat.ReadyOffset ? -Far : Far);
        if (word == ControlFormat.KeptOffset)
        {
            SetWord(ControlFormat.TailOffset, Far);
        }
        await Task.Run(() => Try(queue, work)).WaitAsync(TimeSpan.FromSeconds(60));
        SetWord(word, before);
        await Task.Run(queue.Dispose).WaitAsync(TimeSpan.FromSeconds(60));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task The_end_of_a_hole_is_looked_for_where_files_are(bool skips)
    {
        using MappedQueue<Note> queue = Open();
        for (int id = 0; id < 1000; id++)
        {
            queue.Enqueue(Of(id, 200));
        }
        // Another handle, that has none of them mapped.
        using MappedQueue<Note> other = Open();
        string[] segments = [.. Directory.GetFiles(Site.Queue, "segment-*").Order()];
        Assert.All(segments[1..], File.Delete);
        long tail = Word(ControlFormat.TailOffset);
        SetWord(ControlFormat.TailOffset, Far);
        await Task.Run(() =>
        {
            QueueCorruptException hole = Assert.Throws<QueueCorruptException>(() => Drain(other));
            Assert.Equal(segments[1], hole.Path);
            if (skips)
            {
                other.Default.SkipCorrupt();
            }
        }).WaitAsync(TimeSpan.FromSeconds(60));
        SetWord(ControlFormat.TailOffset, tail);
    }

    private static void Try(MappedQueue<Note> queue, string work)
    {
        Note? note = null;
        try
        {
            switch (work)
            {
                case "dequeue":
                    queue.TryDequeue(ref note);
                    break;
                case "skip":
                    queue.Default.SkipCorrupt();
                    break;
                case "status":
                    queue.GetStatus();
                    break;
                case "enqueue":
                    queue.TryEnqueue(Of(1));
                    break;
                case "large":
                    queue.TryEnqueue(Of(1, 400_000));
                    break;
                case "purge":
                    queue.Purge();
                    break;
                default:
                    queue.Dispose();
                    break;
            }
        }
        catch (QueueException)
        {
            // It is told. What it says, others test.
        }
    }

    private long Word(int offset)
    {
        byte[] word = new byte[8];
        using FileStream file = Control();
        file.Position = offset;
        file.ReadExactly(word);
        return BitConverter.ToInt64(word);
    }

    private void SetWord(int offset, long value)
    {
        using FileStream file = Control();
        file.Position = offset;
        file.Write(BitConverter.GetBytes(value));
    }

    private FileStream Control() =>
        new(Site.File(StoreFormat.ControlName), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
}
