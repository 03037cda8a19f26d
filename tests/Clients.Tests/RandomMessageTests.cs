using BlitQueue.Mutations;
using BlitQueue.Shapes;

namespace BlitQueue.Clients;

/// <summary>Python reads what C# has enqueued: random messages of every shape that the generator's tests know.</summary>
public sealed class RandomMessageTests
{
    private static readonly int Messages = PythonRun.Count(small: 10_000, full: 100_000);

    [PythonFact]
    public void Python_reads_every_random_message_as_it_was_enqueued()
    {
        using var folder = new Folder();
        int seed = PythonRun.Seed();
        IReadOnlyList<Type> types = [.. Target.All(typeof(Values).Assembly).Select(static target => target.Type)];
        var values = new RandomValues(seed);
        List<(Type Type, string Path, List<string> Texts)> queues = [];
        int ofEach = (Messages + types.Count - 1) / types.Count;
        foreach (Type type in types)
        {
            // The number's parity decides about checksums.
            List<object> messages = [.. Enumerable.Range(0, ofEach + (queues.Count % 2)).Select(_ => values.MakeRoot(type))];
            QueueWriter.Of(type).Write(folder.Of(type.Name), messages);
            queues.Add((type, folder.Of(type.Name), messages.ConvertAll(message => CanonicalText.Of(message, type))));
        }

        using IEnumerator<string> read = PythonReader.Queues(queues.Select(static queue => queue.Path)).GetEnumerator();
        foreach ((Type type, _, List<string> texts) in queues)
        {
            foreach (string text in texts.Append("end"))
            {
                Assert.True(read.MoveNext(), $"seed {seed}, {type.Name}: Python has stopped before {text}");
                Assert.True(read.Current == text, $"seed {seed}, {type.Name}: Python reads\n{read.Current}\nC# has enqueued\n{text}");
            }
        }

        Assert.False(read.MoveNext());
        PythonRun.Record(
            $"messages with random values, of {types.Count} shapes", queues.Sum(static queue => queue.Texts.Count), seed: seed);
    }
}
