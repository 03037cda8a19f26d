using BlitQueue.Mutations;

namespace BlitQueue.Clients;

/// <summary>Of changed bytes of a message C# and Python read the same, or both refuse them.</summary>
public sealed class MutationTests
{
    private static readonly int Mutations = PythonRun.Count(small: 5000, full: 100_000);

    private const int MutationsOfMessage = 100;

    [PythonFact]
    public void Both_read_the_same_of_changed_bytes_or_both_refuse()
    {
        using var python = new PythonReader(isSparse: true);
        var csharp = QueueWriter.Of<Entry>(isSparse: true);
        int seed = PythonRun.Seed(), refused = 0;
        var random = new Random(seed);
        var values = new RandomValues(random);
        byte[] packed = [], other = [];
        for (int i = 0; i < Mutations; i++)
        {
            if (i % MutationsOfMessage == 0)
            {
                (packed, other) = (csharp.Pack(values.MakeRoot(typeof(Entry))), csharp.Pack(values.MakeRoot(typeof(Entry))));
            }

            byte[] changed = i % 2 == 0
                ? Mutator.Random(packed, other, random)
                : Mutator.Systematic(packed, random.Next(Mutator.CountSystematic(packed.Length)));
            IReadOnlyList<string> ours = csharp.Unpack(changed), theirs = python.Message(Entry.Schema.Text, changed);
            string what = $"seed {seed}, mutation {i}, {Convert.ToHexString(changed)}:\n{ours[0]}\n{theirs[0]}";
            Assert.True(ours[^1].Split(':')[0] == theirs[^1].Split(':')[0], what);
            Assert.True(ours[^1] != "end" || ours[0] == theirs[0], what);
            refused += ours[^1] == "end" ? 0 : 1;
        }

        // Both happen, else the test says little.
        Assert.InRange(refused, Mutations / 10, Mutations * 9 / 10);
        PythonRun.Record("messages whose packed bytes were changed", Mutations, refused, seed);
    }
}
