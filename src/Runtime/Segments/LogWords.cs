using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>How far a damaged queue's log reached, by its control file: what is missing at its ends is told by nothing else.</summary>
/// <param name="Kept">The first segment that was not given up; after a restart it may have been given up since.</param>
/// <param name="End">Where the log ended; after a restart as far as it is known to have been on the disk.</param>
internal readonly record struct LogWords(long Kept, long End)
{
    /// <returns>null where the control file is damaged.</returns>
    public static LogWords? TryRead(QueueFiles files, QueueMeta meta)
    {
        try
        {
            using var control = new ControlFile(files.Map(StoreFormat.ControlName, ControlFormat.Size));
            StoreCheck.VerifyControl(files, meta, control);
            StoreCheck.VerifyWords(files, meta, control);
            bool isOfThisBoot = control.BootId == Recommended.Platform.BootId;
            return new LogWords(MachineMemory.Load(ref control.Kept), MachineMemory.Load(ref isOfThisBoot ? ref control.Tail : ref control.Durable));
        }
        catch (Exception exception) when (exception is QueueCorruptException or FileNotFoundException)
        {
            return null;
        }
    }
}
