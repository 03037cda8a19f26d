using System.Diagnostics;
using System.Globalization;

namespace BlitQueue.Reliability.Soak;

/// <summary>What a process has of the system at a moment.</summary>
/// <param name="Anonymous">Bytes of memory that are no file's: what leaks of .NET or of the system's own tables would be seen in.</param>
/// <param name="Resident">Bytes of memory, mapped files included.</param>
/// <param name="Descriptors">Open files; on Windows all handles.</param>
/// <param name="Mappings">Mapped regions; 0 on Windows, which does not tell.</param>
internal sealed record Usage(long Anonymous, long Resident, long Descriptors, long Mappings)
{
    public static Usage Of(int process) => OperatingSystem.IsLinux() ? OfLinux(process) : OfOther(process);

    private static Usage OfOther(int process)
    {
        using var found = Process.GetProcessById(process);
        return new Usage(found.PrivateMemorySize64, found.WorkingSet64, found.HandleCount, Mappings: 0);
    }

    private static Usage OfLinux(int process)
    {
        string directory = $"/proc/{process}";
        var status = File.ReadLines(Path.Combine(directory, "status"))
            .Where(static line => line.EndsWith(" kB", StringComparison.Ordinal))
            .Select(static line => line.Split(':'))
            .ToDictionary(
                static parts => parts[0], static parts => 1024 * long.Parse(parts[1].AsSpan()[..^3], CultureInfo.InvariantCulture));
        return new Usage(
            status["RssAnon"], status["VmRSS"],
            Directory.EnumerateFileSystemEntries(Path.Combine(directory, "fd")).LongCount(),
            File.ReadLines(Path.Combine(directory, "maps")).LongCount());
    }
}

/// <summary>Values of one thing over time.</summary>
/// <param name="name">What they are of.</param>
/// <param name="slack">By how much they may differ without meaning anything.</param>
internal sealed class Series(string name, long slack)
{
    private readonly List<long> _values = [];

    public void Add(long value) => _values.Add(value);

    /// <summary>
    /// What has grown, in words; null where nothing has. The first third warms up; of the others the medians are compared, which neither
    /// the odd sample nor ups and downs that are shorter than a third move.
    /// </summary>
    public string? Growth()
    {
        if (_values.Count < 9)
        {
            return null;
        }
        int third = _values.Count / 3;
        long middle = Median(_values[third..(2 * third)]), last = Median(_values[(2 * third)..]);
        return last > middle + slack + (middle / 10) ? $"{name} grew from {middle:N0} to {last:N0}" : null;
    }

    private static long Median(List<long> values)
    {
        values.Sort();
        return values[values.Count / 2];
    }
}
