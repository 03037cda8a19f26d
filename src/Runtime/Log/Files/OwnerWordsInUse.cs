using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The owner words in a queue's files. A new participant must not reuse one of them: leases of a dead participant would count as its own,
/// and no consumer would take them over. The incarnation counter of a participant's index is ahead of them all, unless its page was lost or
/// is older than the others.
/// </summary>
internal static class OwnerWordsInUse
{
    private const int Cells = SubscriptionFormat.CellsOffset, CellsEnd = Cells + (SubscriptionFormat.CellSize * SubscriptionFormat.Cells);

    /// <summary>Callers hold the opening lock, so that no process joins meanwhile.</summary>
    public static HashSet<long> Read(QueueFiles files, ControlFile control)
    {
        HashSet<long> names = ReadFiles(files);
        names.Add(LockWord.OwnerOf(MachineMemory.Load(ref control.LockOwner)));
        return names;
    }

    /// <summary>The owner words in the subscriptions' files alone.</summary>
    public static HashSet<long> ReadFiles(QueueFiles files)
    {
        HashSet<long> names = [];
        byte[] subscription = new byte[SubscriptionFormat.Size];
        foreach (string path in NamedFiles.In(files.Directory, StoreFormat.SubscriptionPrefix))
        {
            if (TryRead(files, Path.GetFileName(path), subscription))
            {
                Add(names, subscription);
            }
        }
        return names;
    }

    // Code that uses the file reports what is wrong with it.
    private static bool TryRead(QueueFiles files, string name, byte[] subscription)
    {
        try
        {
            return files.TryRead(name, 0, subscription);
        }
        catch (QueueCorruptException)
        {
            return false;
        }
    }

    private static void Add(HashSet<long> names, ReadOnlySpan<byte> subscription)
    {
        AddIfAny(names, BinaryPrimitives.ReadInt64LittleEndian(subscription[SubscriptionFormat.ExclusiveOffset..]));
        for (int cell = Cells; cell < CellsEnd; cell += SubscriptionFormat.CellSize)
        {
            long owner = BinaryPrimitives.ReadInt64LittleEndian(subscription[(cell + SubscriptionFormat.CellOwnerOffset)..]);
            AddIfAny(names, SubscriptionFormat.NameOf(owner));
        }
        for (int index = 0; index < ControlFormat.MaximumParticipants; index++)
        {
            int consumer = SubscriptionFormat.ConsumersOffset + (index * sizeof(int));
            if (BinaryPrimitives.ReadUInt32LittleEndian(subscription[consumer..]) is var incarnation and not 0)
            {
                names.Add(ControlFormat.OwnerWord(index, incarnation & ~SubscriptionFormat.SeatedMark));
            }
        }
    }

    private static void AddIfAny(HashSet<long> names, long owner)
    {
        if (owner != 0)
        {
            names.Add(owner);
        }
    }
}
