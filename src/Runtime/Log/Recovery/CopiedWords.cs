using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Handles copied queues. Files that were copied while processes wrote to them are of different moments, and so are the pages of one file,
/// as after a loss of power. So the words of a copy count as those of another boot, and the usual recovery makes them fit the log before
/// anything else uses them.
/// </summary>
/// <remarks>
/// Two cases cannot be recognized: older contents that were written into the queue's own files since the system was started, and a disk
/// image that was restored to the same device. For these there is only the comparison of positions at every opening (<see
/// cref="PositionCheck"/>).
/// </remarks>
internal static class CopiedWords
{
    // A boot id that no system has.
    private const string NoBoot = "copy";

    /// <summary>
    /// Called with the opening lock held, while no process has the queue open. If the process dies in here, the next opening finds the
    /// same.
    /// </summary>
    public static void Distrust(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        string path = files.PathOf(StoreFormat.ControlName);
        if (control.IsOriginal(path))
        {
            return;
        }
        foreach (string name in SubscriptionFile.Names(files))
        {
            try
            {
                using var file = SubscriptionFile.Open(files, meta, name);
                file.Distrust();
            }
            catch (QueueCorruptException)
            {
                // The file is no subscription of this queue: code that looks for the subscription reports it.
            }
        }
        FailPoint.Reach(ProtocolStep.CopyDistrusted);
        Distrust(control, path);
    }

    /// <summary>The same for the file of a store.</summary>
    public static void Distrust(QueueFiles files, TransactionFile file)
    {
        string path = files.PathOf(TransactionFormat.FileName);
        if (!file.Control.IsOriginal(path))
        {
            Distrust(file.Control, path);
        }
    }

    // The boot id is cleared first: once the file has noted its new identity, its words would count again.
    private static void Distrust(ControlFile control, string path)
    {
        // An empty boot id stays: it marks a control file that was made anew.
        control.BootId = control.BootId.Length == 0 ? "" : NoBoot;
        MachineMemory.Store(ref control.Checked, 0);
        control.NoteIdentity(path);
    }
}
