using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>How far a queue's log reached, by its control file: what is missing at its ends is told by nothing else.</summary>
/// <param name="Kept">The first segment that was not given up; after a restart it may have been given up since.</param>
/// <param name="End">Where the log ended; after a restart, or a failed sync, as far as it is known to have been on the disk.</param>
/// <param name="MayBeTorn">Whether of what is behind the end any page may be missing.</param>
internal readonly record struct LogWords(long Kept, long End, bool MayBeTorn)
{
    /// <returns>null where the control file is damaged or missing.</returns>
    public static LogWords? TryRead(QueueFiles files, QueueMeta meta)
    {
        try
        {
            using var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
            StoreCheck.VerifyControl(files, meta, control);
            return Of(files, meta, control);
        }
        catch (Exception exception) when (exception is QueueCorruptException or FileNotFoundException)
        {
            return null;
        }
    }

    /// <returns>null where the words are damaged, or those of a file that was made anew.</returns>
    public static LogWords? Of(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        try
        {
            StoreCheck.VerifyWords(files, meta, control);
            bool mayBeTorn = control.BootId != Recommended.Platform.BootId || MachineMemory.Load(ref control.Failed) != 0;
            return control.BootId.Length == 0 ? null : new LogWords(
                control.Kept, MachineMemory.Load(ref mayBeTorn ? ref control.Durable : ref control.Tail), mayBeTorn);
        }
        catch (QueueCorruptException)
        {
            return null;
        }
    }
}
