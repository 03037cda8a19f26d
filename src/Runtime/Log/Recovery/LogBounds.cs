using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// The bounds of a queue's log according to its control file: nothing else shows that segments are missing at the log's ends.
/// </summary>
/// <param name="FirstRetained">
/// The first segment that was not deleted; after a restart of the machine the word may be older than the last deletions.
/// </param>
/// <param name="End">
/// Where the log ended; after a restart or a failed sync: the position up to which the log is known to have been on the disk.
/// </param>
/// <param name="MayBeTorn">Whether any page behind the end may be missing.</param>
/// <param name="HasFailed">Whether a sync had failed.</param>
internal readonly record struct LogBounds(long FirstRetained, long End, bool MayBeTorn, bool HasFailed)
{
    /// <summary>
    /// After a restart of the machine: the position up to which whole segments need not be read, because they were checked, or on the disk,
    /// before; 0 if all must be read.
    /// </summary>
    public long Checked { get; private init; }

    /// <returns>null if the words are damaged, or those of a file that was made anew.</returns>
    public static LogBounds? Of(QueueMeta meta, ControlFile control)
    {
        bool hasFailed = MachineMemory.Load(ref control.Failed) != 0,
            mayBeTorn = hasFailed || control.BootId != CurrentPlatform.Instance.BootId;
        long durable = MachineMemory.Load(ref control.Durable);
        if (control.BootId.Length == 0 || (mayBeTorn ? durable < 0 || durable % 8 != 0 : StoreCheck.Impossible(meta, control) is not null))
        {
            return null;
        }
        // The disk writes a page sector by sector: after a restart the other words may be older than this one.
        long known = MachineMemory.Load(ref control.Checked);
        return mayBeTorn
            ? new LogBounds(Math.Min(control.FirstRetained, durable / meta.SegmentSize), durable, mayBeTorn, hasFailed)
            {
                Checked = !hasFailed && known > 0 && known <= durable ? known : 0,
            }
            : new LogBounds(control.FirstRetained, MachineMemory.Load(ref control.Tail), mayBeTorn, hasFailed);
    }
}
