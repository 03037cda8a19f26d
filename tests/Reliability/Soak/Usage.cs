using System.Globalization;

namespace BlitQueue.Reliability.Soak;

/// <summary>What a process has of the system at a moment, as Linux tells it.</summary>
/// <param name="Anonymous">Bytes of memory that are no file's: what leaks of .NET or of the system's own tables would be seen in.</param>
/// <param name="Resident">Bytes of memory, mapped files included.</param>
/// <param name="Descriptors">Open files.</param>
/// <param name="Mappings">Mapped regions.</param>
internal sealed record Usage(long Anonymous, long Resident, long Descriptors, long Mappings)
{
    public static Usage Of(int process)
    {
        string directory = $"/proc/{process}";
        Dictionary<string, long> status = File.ReadLines(Path.Combine(directory, "status"))
            .Where(static line => line.EndsWith(" kB", StringComparison.Ordinal))
            .Select(static line => line.Split(':'))
            .ToDictionary(static parts => parts[0], static parts => 1024 * long.Parse(parts[1].AsSpan()[..^3], CultureInfo.InvariantCulture));
        return new Usage(
            status["RssAnon"], status["VmRSS"],
            Directory.EnumerateFileSystemEntries(Path.Combine(directory, "fd")).LongCount(),
            File.ReadLines(Path.Combine(directory, "maps")).LongCount());
    }
}
