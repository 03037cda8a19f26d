using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>The word that tells every process up to which position the log is on the disk.</summary>
internal sealed class DurableMark<TMem>(ControlFile control)
    where TMem : struct, ISharedMemory
{
    /// <summary>The position up to which the log is on the disk.</summary>
    public long Position => TMem.Load(ref control.Durable);

    /// <summary>Makes every process wake the readers that sleep when more of the log is on the disk.</summary>
    public void AskForWakeUps() => TMem.Store(ref control.DurableAsked, 1);

    /// <summary>Notes that the log is on the disk up to a position. The word only grows: another process may be further.</summary>
    public void Raise(long to)
    {
        // SYNC POINT durable: publishes that everything before is on the disk.
        if (ControlFile.Raise<TMem>(ref control.Durable, to) && TMem.Load(ref control.DurableAsked) != 0)
        {
            control.Data.NotifyWaiters<TMem>();
        }
    }
}
