using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>How far a queue's log reached, by its control file: what is missing at its ends is told by nothing else.</summary>
/// <param name="Kept">The first segment that was not given up; after a restart it may have been given up since.</param>
/// <param name="End">Where the log ended; after a restart, or a failed sync, as far as it is known to have been on the disk.</param>
/// <param name="MayBeTorn">Whether of what is behind the end any page may be missing.</param>
/// <param name="HasFailed">Whether a sync had failed.</param>
internal readonly record struct LogWords(long Kept, long End, bool MayBeTorn, bool HasFailed)
{
    /// <returns>null where the words are damaged, or those of a file that was made anew.</returns>
    public static LogWords? Of(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        try
        {
            StoreCheck.VerifyWords(files, meta, control);
            bool hasFailed = MachineMemory.Load(ref control.Failed) != 0, mayBeTorn = hasFailed || control.BootId != Recommended.Platform.BootId;
            return control.BootId.Length == 0 ? null : new LogWords(
                control.Kept, MachineMemory.Load(ref mayBeTorn ? ref control.Durable : ref control.Tail), mayBeTorn, hasFailed);
        }
        catch (QueueCorruptException)
        {
            return null;
        }
    }
}
