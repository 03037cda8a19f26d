using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>The word that tells every process up to where the log is on the disk.</summary>
internal sealed class DurableMark<TMem>(ControlFile control)
    where TMem : struct, ISharedMemory
{
    /// <summary>The position up to which the log is on the disk.</summary>
    public long Position => TMem.Load(ref control.Durable);

    /// <summary>Has every process wake those who sleep for messages when more is on the disk.</summary>
    public void AskForWakeUps() => TMem.Store(ref control.DurableAsked, 1);

    /// <summary>Says that the log is on the disk up to a position. Only ever raised: another process may be further.</summary>
    public void Raise(long to)
    {
        // SYNC POINT durable: publishes that everything before is on the disk.
        if (ControlFile.Raise<TMem>(ref control.Durable, to) && TMem.Load(ref control.DurableAsked) != 0)
        {
            control.Data.NotifyWaiters<TMem>();
        }
    }
}
