using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Words that are a copy's. Files that were copied while processes wrote to them are of different moments, and pages of one file too, as
/// after a loss of power: so their words count as those of another start of the system, and the one recovery makes them fit the log before
/// anything is done with them.
/// </summary>
/// <remarks>
/// What cannot be told: files of an earlier moment that were written over those of the queue, into the same files, since the system was
/// started; and an image of the disk that was put back on the same device. There the comparison of positions at every opening remains
/// (<see cref="PositionCheck"/>).
/// </remarks>
internal static class CopiedWords
{
    // Of no system.
    private const string NoBoot = "copy";

    /// <summary>
    /// Called with the opening lock held, while nobody has the queue open. Where this comes to an end the next opening finds the same.
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
                // None of the queue's: told by those who look for the subscription.
            }
        }
        FailPoint.Reach(ProtocolStep.CopyDistrusted);
        Distrust(control, path);
    }

    /// <summary>The same for a store's own file.</summary>
    public static void Distrust(QueueFiles files, TransactionFile file)
    {
        string path = files.PathOf(TransactionFormat.FileName);
        if (!file.Control.IsOriginal(path))
        {
            Distrust(file.Control, path);
        }
    }

    // The boot id first: with the place alone the words would count again.
    private static void Distrust(ControlFile control, string path)
    {
        // A file that was made anew says so by having none.
        control.BootId = control.BootId.Length == 0 ? "" : NoBoot;
        MachineMemory.Store(ref control.Checked, 0);
        control.NoteIdentity(path);
    }
}
