using System.Globalization;

namespace BlitQueue.Checker;

/// <summary>What cursors showed: each of a producer's messages behind the one before it, without a gap, from wherever it began.</summary>
internal static class Views
{
    public static IEnumerable<string> Faults(string log)
    {
        var next = new Dictionary<int, long>();
        foreach (string line in LogFile.Lines(log).Where(static line => line.StartsWith("V ", StringComparison.Ordinal)))
        {
            long[] words = [.. line.Split(' ').Skip(1).Take(3).Select(static word => long.Parse(word, CultureInfo.InvariantCulture))];
            (int producer, long first, long count) = ((int)words[0], words[1], words[2]);
            if (count == 0)
            {
                next.Clear();
                continue;
            }
            if (next.TryGetValue(producer, out long expected) && expected != first)
            {
                yield return $"{Path.GetFileName(log)}: a cursor showed message {producer}/{first} after {producer}/{expected - 1}";
            }
            next[producer] = first + count;
        }
    }
}
