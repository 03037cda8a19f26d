using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>One open store: its commit lock, with which one participant at a time commits transactions over the store's queues.</summary>
internal sealed partial class TransactionStore : IDisposable
{
    private readonly QueueFiles _files;
    private readonly TransactionFile _file;
    private readonly SafeFileHandle _locks;
    private readonly Participant _self;
    private readonly AppendLockWait<MachineMemory> _wait;

    private TransactionStore(QueueFiles files, TransactionFile file, SafeFileHandle locks)
    {
        _files = files;
        _file = file;
        _locks = locks;
        _self = Participant.Join(file.Control, locks, files.Directory, [MachineMemory.Load(ref file.Control.LockOwner)]);
        _wait = new AppendLockWait<MachineMemory>(file.Control, _self, files, "commit", "Nothing was committed.");
        Gate = new CallGate(ReleaseFiles, Disposed);
    }

    /// <summary>The store's directory, absolute.</summary>
    public string Directory => _files.Directory;

    public CallGate Gate { get; }

    /// <summary>The exception for calls on a disposed store.</summary>
    public ObjectDisposedException Disposed() => BlitQueue.Disposed.Of("MappedStore", $"{Directory}: the store");

    /// <summary>Joins the store in a directory; where there is none, makes it, and the directory, if that is asked for.</summary>
    /// <exception cref="QueueException">No directory for a store.</exception>
    /// <exception cref="ArgumentException">It was made with other rights.</exception>
    /// <exception cref="FileNotFoundException">There is none, and none is to be made.</exception>
    /// <exception cref="OperationCanceledException">The patience's token was cancelled; nothing was made.</exception>
    public static TransactionStore Open(string path, UnixFileMode? fileMode, Patience patience, bool make)
    {
        patience.Token.ThrowIfCancellationRequested();
        if (!make && !CurrentPlatform.Instance.IsThere(Path.Combine(path, TransactionFormat.FileName)))
        {
            throw new FileNotFoundException("The directory is no store.", path);
        }
        StoreMedium.RefuseNetwork(path);
        var directory = QueueDirectory.Prepare(path, fileMode, ofQueues: true);
        var files = new QueueFiles(Path.TrimEndingDirectorySeparator(directory.Path), fileMode);
        try
        {
            var opening = OpeningLock.Take(files, patience, TransactionFormat.LockName);
            TransactionStore? store = null;
            try
            {
                FileRights.Require(files.Directory, fileMode);
                store = OpenLocked(files, opening.File);
                opening.GiveBack(files.Directory);
                return store;
            }
            catch
            {
                store?.Dispose();
                opening.Dispose();
                throw;
            }
        }
        catch (Exception exception) when (SystemFailure.Is(exception))
        {
            throw SystemFailure.Of(directory.Path, exception);
        }
        finally
        {
            directory.RemoveIfMadeAndEmpty();
        }
    }

    private static TransactionStore OpenLocked(QueueFiles files, SafeFileHandle locks)
    {
        bool isAlone = !Participant.AnyAlive(locks);
        if (!files.Exists(TransactionFormat.FileName))
        {
            MakeFile(files, isAlone);
        }
        PrivateBlocks.Require(files, TransactionFormat.FileName, isAlone: false);
        var file = TransactionFile.Open(files);
        try
        {
            if (isAlone)
            {
                CopiedWords.Distrust(files, file);
            }
            if (isAlone && file.Control.BootId != CurrentPlatform.Instance.BootId)
            {
                Recover(file);
            }
            return new TransactionStore(files, file, locks);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    private static void MakeFile(QueueFiles files, bool isAlone)
    {
        if (!isAlone)
        {
            throw new QueueCorruptException(
                files.PathOf(TransactionFormat.FileName), 0,
                "it is missing while other processes have the store open. End them all; the next opening makes it anew.");
        }
        try
        {
            TransactionFile.Make(files);
        }
        catch (OvertakenException)
        {
            // Made by a process with another lock file, because somebody deleted the lock file.
        }
        catch (IOException exception) when (DiskFullException.Is(exception))
        {
            files.Delete(TransactionFormat.FileName + StoreFormat.UnfinishedSuffix);
            throw new QueueFullException(
                $"{files.Directory}: the disk has no room for a store's file ({TransactionFormat.Size} bytes). Free disk space.",
                exception)
            { Path = files.Directory };
        }
    }

    // After the machine went down: if a transaction was decided, the first process that acquires the commit lock completes it.
    private static void Recover(TransactionFile file)
    {
        if (file.Read() is null)
        {
            MachineMemory.Store(ref file.Decided, 0);
        }
        MachineMemory.Store(ref file.Control.LockOwner, 0);
        FailPoint.Reach(ProtocolStep.RecoveryStoreWordsSet);
        file.Control.BootId = CurrentPlatform.Instance.BootId;
    }

    /// <summary>Acquires the commit lock to commit. Completes a dead holder's committed transaction first.</summary>
    /// <exception cref="QueueStalledException">A process that does not run has held it for the whole patience.</exception>
    /// <exception cref="OperationCanceledException">The patience's token was cancelled while another process held the lock.</exception>
    public void AcquireLock(Patience patience, Action? meanwhile = null)
    {
        // SYNC POINT commit lock: acquires what the holder before wrote into the slot.
        if (MachineMemory.CompareExchange(ref _file.Control.LockOwner, _self.OwnerWord, 0) != 0)
        {
            _wait.TryAcquireLock(new WaitLimit(patience.Limit, Token: patience.Token), out _, meanwhile);
        }
        FailPoint.Reach(ProtocolStep.CommitLockAcquired);
        if (MachineMemory.Load(ref _file.Decided) != 0)
        {
            CompleteIfPossible(patience.Limit);
        }
    }

    /// <summary>
    /// Writes the entries of the transaction that is about to be decided. If it is durable, all that the entries name is on the disk, and
    /// they count even after the machine went down. The caller holds the commit lock.
    /// </summary>
    public void Write(bool durable, IEnumerable<DecidedOutput> outputs, IEnumerable<DecidedLease> leases)
    {
        _file.Write(_file.Control.Tail + 1, durable, outputs, leases);
        FailPoint.Reach(ProtocolStep.TransactionWritten);
    }

    /// <summary>Commits the transaction: from here on it is carried out, whichever process dies.</summary>
    public void Decide()
    {
        // SYNC POINT decided: publishes the entries, and that what they name is in place.
        MachineMemory.Store(ref _file.Decided, _file.Control.Tail + 1);
        FailPoint.Reach(ProtocolStep.TransactionDecided);
    }

    /// <summary>Brings the decision to the disk: from here on the transaction is carried out even if the machine goes down.</summary>
    /// <exception cref="QueueFailedException">The disk refused.</exception>
    public void SyncDecision()
    {
        _file.Sync(again: false);
        FailPoint.Reach(ProtocolStep.TransactionDecisionSynced);
    }

    /// <summary>
    /// Frees the slot, when all that the transaction names is done. Increments the number first, so that no number is used twice.
    /// </summary>
    public void Release()
    {
        MachineMemory.Store(ref _file.Control.Tail, MachineMemory.Load(ref _file.Decided));
        FailPoint.Reach(ProtocolStep.TransactionNumbered);
        MachineMemory.Store(ref _file.Decided, 0);
        FailPoint.Reach(ProtocolStep.TransactionReleased);
    }

    public void ReleaseLock()
    {
        // SYNC POINT commit lock: publishes the slot to the next holder.
        MachineMemory.Store(ref _file.Control.LockOwner, 0);
        FailPoint.Reach(ProtocolStep.CommitLockReleased);
    }

    /// <summary>Refuses further calls; releases everything now, or when the last running call ends.</summary>
    public void Dispose() => Gate.Close();

    private void ReleaseFiles()
    {
        Action moveTime = ModifiedTimes.MoveLater(_files, TransactionFormat.FileName, _file.Control);
        _self.Dispose();
        _file.Dispose();
        moveTime();
        _locks.Dispose();
    }
}
