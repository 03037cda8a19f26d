using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// A word of the control file is damaged and names segments that are far away: nobody looks for each of those in between.
/// </summary>
public sealed class FarWordsTests : QueueFixture
{
    // Segments up to there, if each were looked for: 2^44.
    private const long Far = 1L << 60;

    // A status looks for 4,096 of them a few times: under Wine that takes more than a minute.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    public static TheoryData<string, string> Cases
    {
        get
        {
            TheoryData<string, string> cases = [];
            foreach (string work in new[] { "dequeue", "skip", "status", "enqueue", "large", "purge", "close" })
            {
                foreach (string word in new[] { "tail", "ready", "kept" })
                {
                    cases.Add(work, word);
                }
            }
            return cases;
        }
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task No_call_goes_through_all_that_a_damaged_word_names(string work, string word)
    {
        MappedQueue<Note> queue = Open(
            new QueueOptions { SegmentSize = 1 << 16, Durability = work == "close" ? Durability.Interval : Durability.PageCache });
        for (int id = 0; id < 1000; id++)
        {
            queue.Enqueue(Of(id, 200));
        }
        Drain(queue);
        long before = MachineMemory.Load(ref Word(queue, word));
        // Of what is kept a smaller index is as far away: the consumers have passed all from there on.
        MachineMemory.Store(ref Word(queue, word), word == "kept" ? 0 : word == "ready" ? -Far : Far);
        if (word == "kept")
        {
            MachineMemory.Store(ref Word(queue, "tail"), Far);
        }
        await Task.Run(() => Try(queue, work)).WaitAsync(Patience);
        if (work != "close")
        {
            MachineMemory.Store(ref Word(queue, word), before);
        }
        await Task.Run(queue.Dispose).WaitAsync(Patience);
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
        string[] segments = SegmentFiles();
        Assert.All(segments[1..], File.Delete);
        long tail = MachineMemory.Load(ref Word(queue, "tail"));
        MachineMemory.Store(ref Word(queue, "tail"), Far);
        await Task.Run(() =>
        {
            QueueCorruptException hole = Assert.Throws<QueueCorruptException>(() => Drain(other));
            Assert.Equal(segments[1], hole.Path);
            if (skips)
            {
                other.Default.SkipCorrupt();
            }
        }).WaitAsync(Patience);
        MachineMemory.Store(ref Word(queue, "tail"), tail);
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

    private static ref long Word(MappedQueue<Note> queue, string name)
    {
        if (name == "tail")
        {
            return ref queue.Store.Control.Tail;
        }
        return ref name == "ready" ? ref queue.Store.Control.AllocatedEnd : ref queue.Store.Control.FirstRetainedState;
    }
}
