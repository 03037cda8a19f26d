using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>What is done to a queue's directory without its message type.</summary>
/// <example>
/// <code>
/// RecoveryReport report = MappedQueue.Repair("orders");
/// foreach (RecoveryFinding finding in report.Findings)
///     Console.WriteLine($"{finding.File} at {finding.Offset}: {finding.What}");
/// </code>
/// </example>
public static partial class MappedQueue
{
    private const UnixFileMode OwnerAlone = UnixFileMode.UserRead | UnixFileMode.UserWrite;

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Makes a queue whose files are damaged one that can be opened again: every message that is not damaged itself can be reached afterwards. Nothing
    /// is deleted: files are kept as they were in a directory <c>damaged-&lt;time&gt;</c> beside them.
    /// </summary>
    /// <param name="path">The directory of a queue, or of a store: then of all queues in it. Nobody may have it open.</param>
    /// <returns>What was found; a sound queue is left as it is.</returns>
    /// <remarks>
    /// A subscription whose file is damaged begins anew at the oldest message, so what it had consumed comes again; a batch of which a message is
    /// damaged comes without it. A repair that is killed is begun anew by the next call; until then the queue cannot be opened.
    /// </remarks>
    /// <exception cref="QueueException">It is no queue's directory, or a process has it open, or there are no rights to it.</exception>
    /// <exception cref="QueueCorruptException">Nothing that is left says what the queue is.</exception>
    /// <exception cref="QueueFullException">The disk has no room for the copies of what is damaged.</exception>
    public static RecoveryReport Repair(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        try
        {
            var done = new List<StoreRepair>();
            if (StoreRepair.RunStore(path, OwnerAlone, Patience) is { } store)
            {
                done.Add(store);
                RunBelow(path, StoreRepair.IsQueue, done);
            }
            else
            {
                done.Add(StoreRepair.Run(path, OwnerAlone, Patience));
            }
            foreach (string queue in done.Select(static repair => repair.Directory).ToArray())
            {
                RunBelow(queue, StoreRepair.IsDeadLetters, done);
            }
            return ReportOf(done);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw QueueDirectory.NoRights(path, exception);
        }
    }

    private static void RunBelow(string path, Func<string, bool> isMeant, List<StoreRepair> done)
    {
        foreach (string below in Directory.EnumerateDirectories(path).Where(isMeant).Order(StringComparer.Ordinal))
        {
            done.Add(StoreRepair.Run(below, OwnerAlone, Patience));
        }
    }

    private static RecoveryReport ReportOf(List<StoreRepair> done) => new()
    {
        Path = done[0].Directory,
        Findings = [.. done.SelectMany(static repair => repair.Findings)],
        SetAside = [.. done.Select(static repair => repair.SetAside).OfType<string>()],
        Duration = done.Aggregate(TimeSpan.Zero, static (sum, repair) => sum + repair.Duration),
        Messages = done.Where(static repair => !StoreRepair.IsDeadLetters(repair.Directory)).Sum(static repair => repair.Messages),
    };
}
