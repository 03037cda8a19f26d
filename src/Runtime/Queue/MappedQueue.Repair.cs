using BlitQueue.Log;
using BlitQueue.Platform;

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
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>
    /// Makes a damaged queue usable: afterwards it can be opened, and every message that is not damaged itself can be reached. Nothing is
    /// deleted: the damaged files are kept as they were in a directory <c>damaged-&lt;time&gt;</c> beside them.
    /// </summary>
    /// <param name="path">The directory of a queue, or of a store or lanes: then of all queues in it. No process may have it open.</param>
    /// <param name="cancellationToken">
    /// Ends the wait for a process that is opening a queue, or leaving it. A repair that was begun is brought to its end.
    /// </param>
    /// <returns>What was found; a sound queue is left as it is.</returns>
    /// <remarks>
    /// A subscription whose file is damaged begins anew at the oldest message, so what it had consumed comes again; a batch with a damaged
    /// message comes without that message. If a repair is killed, the next call begins it anew; until then the queue cannot be opened.
    /// </remarks>
    /// <exception cref="QueueException">It is no queue's directory, or a process has it open, or there are no rights to it.</exception>
    /// <exception cref="QueueCorruptException">No file that is left says what the queue is.</exception>
    /// <exception cref="QueueFullException">The disk has no room for the copies of what is damaged.</exception>
    /// <exception cref="OperationCanceledException">
    /// The token was cancelled. Of several queues, some may be repaired already; the next call finds them sound.
    /// </exception>
    public static RecoveryReport Repair(string path, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        cancellationToken.ThrowIfCancellationRequested();
        Patience patience = new(Patience, cancellationToken);
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        return SystemFailure.Told(full, () =>
        {
            var store = StoreRepair.RunStore(full, patience);
            bool isOfQueues = store is not null || CurrentPlatform.Instance.IsThere(Path.Combine(full, LanesMeta.Name));
            QueuesBelow queues = isOfQueues ? QueuesBelow.InStore(full) : new QueuesBelow([full], []);
            StoreRepair[] repaired = Run(queues, patience);
            QueuesBelow[] letters = [.. queues.There.Select(QueuesBelow.OfDeadLetters)];
            StoreRepair[] done = [.. new[] { store }.OfType<StoreRepair>(), .. repaired, .. letters.SelectMany(one => Run(one, patience))];
            string[] lost = [.. queues.Lost, .. letters.SelectMany(static one => one.Lost)];
            return new RecoveryReport
            {
                Path = full,
                Findings = [.. done.SelectMany(static repair => repair.Findings), .. lost.Select(QueuesBelow.FindingOf)],
                SetAside = [.. done.Select(static repair => repair.SetAside).OfType<string>()],
                Duration = done.Aggregate(TimeSpan.Zero, static (sum, repair) => sum + repair.Duration),
                MessageCount = repaired.Sum(static repair => repair.Messages),
            };
        });
    }

    private static StoreRepair[] Run(QueuesBelow queues, Patience patience)
        => [.. queues.There.Select(queue => StoreRepair.Run(queue, patience))];
}
