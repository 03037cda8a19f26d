using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>A store's mapped file: its commit lock, its participants, and the slot for the transaction that is being committed.</summary>
internal sealed class TransactionFile : IDisposable
{
    private readonly MappedRegion _region;
    private readonly string _path;
    private DecidedTransaction? _lastRead;

    private TransactionFile(MappedRegion region, string path)
    {
        _region = region;
        _path = path;
        Control = new ControlFile(region);
    }

    /// <summary>The words that a store shares with a queue's control file: lock owner, tail, boot id, participants.</summary>
    public ControlFile Control { get; }

    /// <summary>
    /// The number of the transaction that is committed and not completed; 0 = none. The store of the number is the commit point.
    /// </summary>
    public ref long Decided => ref _region.Word(TransactionFormat.SlotOffset + TransactionFormat.DecidedOffset);

    private Span<byte> Slot => _region.Bytes(TransactionFormat.SlotOffset, TransactionFormat.SlotSize);

    /// <summary>Makes the file of a new store.</summary>
    /// <exception cref="DiskFullException">The disk has no room.</exception>
    /// <exception cref="OvertakenException">There is one.</exception>
    public static void Make(QueueFiles files)
    {
        using SafeFileHandle file = files.CreateUnfinished(TransactionFormat.FileName);
        CurrentPlatform.Instance.Preallocate(file, TransactionFormat.Size);
        using (var region = new MappedRegion(file, TransactionFormat.Size))
        {
            region.Word(ControlFormat.MagicOffset) = ControlFormat.Magic;
            Guid.NewGuid().TryWriteBytes(region.Bytes(ControlFormat.IdOffset, 16));
            new ControlFile(region).NoteIdentity(files.PathOf(TransactionFormat.FileName + StoreFormat.UnfinishedSuffix));
            region.Word(ControlFormat.CompleteOffset) = 1;
        }
        files.FinishNew(TransactionFormat.FileName, file);
    }

    /// <summary>Opens the store's own file, or a copy of it.</summary>
    /// <exception cref="FileNotFoundException">There is none.</exception>
    /// <exception cref="QueueCorruptException">It is not the file of a store.</exception>
    public static TransactionFile Open(QueueFiles files, string name = TransactionFormat.FileName)
    {
        MappedRegion region = files.Map(name, TransactionFormat.Size);
        if (region.Word(ControlFormat.MagicOffset) != ControlFormat.Magic || region.Word(ControlFormat.CompleteOffset) != 1)
        {
            region.Dispose();
            throw new QueueCorruptException(
                files.PathOf(name), 0,
                $"it is no store's file. {StoreFormat.Remedy} Give it the path of the store.");
        }
        return new TransactionFile(region, files.PathOf(name));
    }

    /// <summary>Opens the file of the store that a directory is in.</summary>
    /// <returns>null when the directory is in no store.</returns>
    public static TransactionFile? OpenAbove(string directory, string name = TransactionFormat.FileName)
    {
        if (QueueLocation.Of(directory).Above is not { } parent
            || !CurrentPlatform.Instance.IsThere(Path.Combine(parent, name)))
        {
            return null;
        }
        try
        {
            return Open(new QueueFiles(parent, default), name);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    /// <summary>
    /// What was committed for a queue and may not be carried out there yet: what the slot names, if the queue is in a store, and what was
    /// noted as owed to the queue.
    /// </summary>
    public static DecidedTransaction? DecidedFor(TransactionFile? slot, string directory, Guid id)
    {
        string queue = QueueLocation.Of(directory).Name;
        // The slot first: what it owes a queue is noted before the slot is used again.
        DecidedTransaction? first = slot?.Read()?.Of(queue, id);
        using TransactionFile? owed = OpenAbove(directory, TransactionFormat.OwedName(queue));
        DecidedTransaction? second = owed?.Read()?.Of(queue, id);
        return first is null || second is null ? first ?? second
            : first with { Outputs = [.. first.Outputs, .. second.Outputs], Leases = [.. first.Leases, .. second.Leases] };
    }

    /// <summary>
    /// Copies the slot into the directory of a queue that cannot take its part now, as owed to it, so that the slot may be used again.
    /// </summary>
    /// <exception cref="IOException">The disk refuses this copy, too.</exception>
    public void Owe(QueueFiles files, string queue)
    {
        string name = TransactionFormat.OwedName(queue);
        using SafeFileHandle file = files.CreateUnfinished(name);
        QueueFiles.Write(file, _region.Bytes(0, TransactionFormat.Size), 0);
        // The copy's words count in its new file as they do here.
        if (CurrentPlatform.Instance.IdentityOf(files.PathOf(name + StoreFormat.UnfinishedSuffix)) is { } identity)
        {
            QueueFiles.Write(file, identity, ControlFormat.IdentityOffset);
        }
        files.Finish(name, file);
    }

    /// <summary>Deletes what was noted as owed to a queue. Callers have carried it out there, and synced it to the disk.</summary>
    public static void ForgetOwed(string directory)
    {
        if (QueueLocation.Of(directory) is { Above: { } parent, Name: var name })
        {
            CurrentPlatform.Instance.Delete(Path.Combine(parent, TransactionFormat.OwedName(name)));
        }
    }

    /// <summary>Writes a transaction's entries. The caller holds the commit lock, and no transaction is decided.</summary>
    /// <exception cref="InvalidOperationException">There are more entries than fit into the slot.</exception>
    public void Write(long number, bool durable, IEnumerable<DecidedOutput> outputs, IEnumerable<DecidedLease> leases)
    {
        var writer = new TransactionWriter(Slot);
        foreach (DecidedOutput output in outputs)
        {
            writer.Add(output);
        }
        foreach (DecidedLease lease in leases)
        {
            writer.Add(lease);
        }
        writer.Complete(number, durable);
    }

    /// <summary>
    /// The transaction that is committed and not completed; null when there is none. One that was decided before the machine went down
    /// counts only if all that it names was on the disk by then.
    /// </summary>
    public DecidedTransaction? Read()
    {
        for (; ; )
        {
            // SYNC POINT decided: acquires the entries.
            long number = MachineMemory.Load(ref Decided);
            if (number == 0)
            {
                return null;
            }
            if (_lastRead is { } last && last.Number == number)
            {
                return last;
            }
            byte[] slot = Slot.ToArray();
            // A full fence: if no other transaction was decided meanwhile, the whole copy is of this one.
            if (MachineMemory.CompareExchange(ref Decided, number, number) != number)
            {
                continue;
            }
            if (!Control.IsAsLeft(_path) && !TransactionReader.IsDurable(slot, number))
            {
                return null;
            }
            return _lastRead = new TransactionReader(slot, _path).Read(number);
        }
    }

    /// <summary>Syncs the slot to the disk. The caller holds the commit lock.</summary>
    /// <param name="again">Whether an earlier attempt may have failed: then the system may count pages as written that are not.</param>
    /// <exception cref="QueueFailedException">The disk refused.</exception>
    public void Sync(bool again)
    {
        const int start = TransactionFormat.SlotOffset, end = start + TransactionFormat.SlotSize;
        try
        {
            if (again)
            {
                _region.Rewrite(start, end);
            }
            FailPoint.ReachSync();
            _region.Sync(start, end);
        }
        catch (IOException exception)
        {
            throw new QueueFailedException($"{_path}: the disk refused to take what was written ({exception.Message}).", exception)
            { Path = _path };
        }
    }

    public void Dispose() => _region.Dispose();
}
