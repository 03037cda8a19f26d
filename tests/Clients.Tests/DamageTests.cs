using System.Text;
using BlitQueue.Mutations;

namespace BlitQueue.Clients;

/// <summary>Of damaged files C# and Python read the same, or both refuse at the same message.</summary>
public sealed class DamageTests
{
    private static readonly int Times = PythonRun.Count(small: 300, full: 1000);

    private const int SmallMessages = 15;

    [PythonFact]
    public void Both_read_the_same_of_a_damaged_queue_or_both_refuse()
    {
        using var folder = new Folder();
        using var python = new PythonReader(isSparse: true);
        int seed = PythonRun.Seed();
        var random = new Random(seed);
        string[] queues = [.. Enumerable.Range(0, 4).Select(number => Make(folder.Of($"{number}"), number, random))];
        var csharp = QueueWriter.Of<Entry>(isSparse: true);
        Assert.All(queues, queue => Assert.Equal(csharp.Read(queue), python.Queue(queue)));
        Assert.All(queues, queue => Assert.Equal("end", csharp.Read(queue)[^1]));

        ILookup<string, int>[] starts = [.. queues.Select(Starts)];
        int refused = 0, read = 0;
        for (int i = 0; i < Times; i++)
        {
            string queue = queues[i % queues.Length], file = Pick(queue, random);
            using var damage = new Damage(file, [.. starts[i % queues.Length][file]], random);
            IReadOnlyList<string> ours = csharp.Read(queue), theirs = python.Queue(queue);
            string what = $"seed {seed}, damage {i}: {damage.Text} of {file}";
            Assert.True(ours.Count == theirs.Count, $"{what}:\n{ours.Count} lines, {ours[^1]}\n{theirs.Count} lines, {theirs[^1]}");
            for (int line = 0; line < ours.Count - 1; line++)
            {
                Assert.True(ours[line] == theirs[line], $"{what}, line {line}:\n{ours[line]}\n{theirs[line]}");
            }

            Assert.True(Outcome(ours) == Outcome(theirs), $"{what}:\n{ours[^1]}\n{theirs[^1]}");
            (refused, read) = Outcome(ours) == "end" ? (refused, read + 1) : (refused + 1, read);
        }

        // Both happen, else the test says little.
        Assert.InRange(refused, Times / 4, Times);
        Assert.InRange(read, Times / 20, Times);
        PythonRun.Record("queues with a damaged file", Times, refused, seed);
    }

    // Offsets of messages, by the segment's path.
    private static ILookup<string, int> Starts(string queue)
    {
        const long SegmentSize = 1 << 16;
        using var reader = QueueReader<Entry>.Open(queue);
        List<long> positions = [reader.Position.Value];
        for (Entry? entry = null; reader.TryRead(ref entry);)
        {
            positions.Add(reader.Position.Value);
        }

        return positions.ToLookup(
            position => Path.Combine(queue, $"segment-{position / SegmentSize * SegmentSize:x16}"),
            static position => (int)(position % SegmentSize));
    }

    private static string Outcome(IReadOnlyList<string> lines) => lines[^1].Split(':')[0];

    // Two with checksums, two without; of each a queue whose control file counts, and one whose does not.
    private static string Make(string path, int number, Random random)
    {
        var values = new RandomValues(random);
        using (var queue = MappedQueue<Entry>.Open(path, new QueueOptions { SegmentSize = 1 << 16, UseChecksums = number < 2 }))
        {
            for (int i = 0; i < SmallMessages; i++)
            {
                queue.Enqueue((Entry)values.MakeRoot(typeof(Entry)));
            }

            // A batch, messages with properties, and one in pieces.
            queue.EnqueueBatch([.. Enumerable.Range(0, 10).Select(_ => (Entry)values.MakeRoot(typeof(Entry)))]);
            var properties = new MessageProperties { MessageId = "m", Label = "label", Headers = { ["a"] = "b" } };
            queue.Enqueue((Entry)values.MakeRoot(typeof(Entry)), properties);
            byte[] body = new byte[70_000];
            random.NextBytes(body);
            queue.Enqueue(new Entry { Body = body }, properties);
            for (int i = 0; i < SmallMessages; i++)
            {
                queue.Enqueue((Entry)values.MakeRoot(typeof(Entry)), properties);
            }
        }

        if (number % 2 != 0)
        {
            using FileStream control = File.OpenWrite(Path.Combine(path, "queue.control"));
            control.Position = 32;
            control.Write(Encoding.ASCII.GetBytes("another"));
        }

        return path;
    }

    private static string Pick(string queue, Random random)
    {
        string[] files = [.. Directory.GetFiles(queue).Order(StringComparer.Ordinal)];
        string[] segments = [.. files.Where(static path => Path.GetFileName(path).StartsWith("segment-", StringComparison.Ordinal))];
        string[] some = random.Next(5) > 0 ? segments : files;
        return some[random.Next(some.Length)];
    }
}
