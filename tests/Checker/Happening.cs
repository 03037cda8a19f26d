namespace BlitQueue.Checker;

/// <summary>A line of a log that is about no message: what may explain something, or is to be explained.</summary>
/// <param name="Log">The worker's.</param>
/// <param name="Kind">
/// X: a call threw; F: a queue called itself full; P: a purge; S: a seek; M, G: a subscription was made, deleted; H: the machine let a
/// thread wait that does nothing else.
/// </param>
/// <param name="Words">What the line says behind its times.</param>
public sealed record Happening(string Log, char Kind, Times Times, string[] Words)
{
    // V is a cursor's line, which Views reads.
    private const string Kinds = "XFPSMGHV";

    public static bool IsOne(ReadOnlySpan<char> line) => Kinds.Contains(line[0], StringComparison.Ordinal);

    /// <summary>Those that a log holds; one that cannot be read has no kind.</summary>
    public static IEnumerable<Happening> Of(string path) =>
        LogFile.Lines(path).Where(static line => line[0] != 'V' && IsOne(line)).Select(line => Parse(Path.GetFileName(path), line));

    private static Happening Parse(string log, string line)
    {
        string[] words = line.Split(' ');
        return words.Length >= (words[0] == "X" ? 6 : 4) && Times.TryParse(words[1], words[2], out Times times)
            ? new Happening(log, line[0], times, words[3..])
            : new Happening(log, default, default, [line]);
    }
}
