namespace BlitQueue.Checker;

/// <summary>A line of a log that is about no message: what may explain something, or is to be explained.</summary>
/// <param name="Log">The worker's.</param>
/// <param name="Kind">
/// X: a call threw; F: a queue called itself full; P: a purge; S: a seek; M, G: a subscription was made, deleted; H: the machine let a thread wait that
/// does nothing else.
/// </param>
/// <param name="Words">What the line says behind its times.</param>
public sealed record Happening(string Log, char Kind, Times Times, string[] Words)
{
    // V is a cursor's line, which Views reads.
    private const string Kinds = "XFPSMGHV";

    public static bool IsOne(ReadOnlySpan<char> line) => Kinds.Contains(line[0], StringComparison.Ordinal);

    /// <summary>Those that a log holds.</summary>
    public static IEnumerable<Happening> Of(string path)
    {
        if (!File.Exists(path))
        {
            yield break;
        }
        foreach (string line in File.ReadLines(path).Where(static line => line.Length > 0 && line[0] != 'V' && IsOne(line)))
        {
            string[] words = line.Split(' ');
            if (words.Length >= 4 && Times.TryParse(words[1], words[2], out Times times))
            {
                yield return new Happening(Path.GetFileName(path), line[0], times, words[3..]);
            }
        }
    }
}
