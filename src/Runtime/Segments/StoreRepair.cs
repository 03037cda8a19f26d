using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>
/// Makes a queue whose files are damaged one that can be opened, with every message that is not damaged itself. Deletes nothing: what is
/// changed or taken out is kept as it was in a directory of its own. Killed midway it is begun anew; until then nobody can open the queue.
/// </summary>
internal sealed class StoreRepair
{
    private readonly QueueFiles _files;
    private readonly SetAside _aside;

    private StoreRepair(QueueFiles files)
    {
        _files = files;
        _aside = new SetAside(files);
    }

    public string Directory => _files.Directory;

    public IReadOnlyList<RecoveryFinding> Findings => _aside.Findings;

    public string? SetAside => _aside.Directory;

    /// <summary>How many messages can be reached.</summary>
    public long Messages { get; private set; }

    /// <exception cref="QueueException">It is no queue, or a process has it open.</exception>
    public static StoreRepair Run(string path, UnixFileMode fileMode, TimeSpan patience)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (!System.IO.Directory.Exists(full) || !System.IO.Directory.EnumerateFileSystemEntries(full).Any(static entry => StoreFormat.IsOurs(Path.GetFileName(entry))))
        {
            throw new QueueException($"{full} is no queue's directory: there is nothing to repair. Give the path of a queue.");
        }
        var repair = new StoreRepair(new QueueFiles(full, fileMode));
        repair.RunLocked(patience);
        return repair;
    }

    /// <summary>Whether a directory of a store is a queue, damaged or not.</summary>
    public static bool IsQueue(string path) => new DirectoryInfo(path).LinkTarget is null
        && !Path.GetFileName(path).StartsWith(StoreFormat.AsidePrefix, StringComparison.Ordinal)
        && System.IO.Directory.EnumerateFileSystemEntries(path).Any(static entry => StoreFormat.IsOurs(Path.GetFileName(entry)));

    /// <summary>Whether a directory of a queue is that of what a subscription has set aside.</summary>
    public static bool IsDeadLetters(string path) =>
        Path.GetFileName(path).StartsWith(StoreFormat.DeadLettersPrefix, StringComparison.Ordinal) && IsQueue(path);

    /// <summary>Repairs what a store has beside its queues.</summary>
    /// <returns>null where the directory is no store.</returns>
    public static StoreRepair? RunStore(string path, UnixFileMode fileMode, TimeSpan patience)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        var files = new QueueFiles(full, fileMode);
        if (!files.Exists(TransactionFormat.FileName) && !files.Exists(TransactionFormat.LockName))
        {
            return null;
        }
        var repair = new StoreRepair(files);
        repair.MendTransactions(patience);
        return repair;
    }

    private void MendTransactions(TimeSpan patience)
    {
        SetAsideIfIrregular(TransactionFormat.LockName);
        OpeningLock opening = OpeningLock.Take(_files, patience, TransactionFormat.LockName);
        using SafeFileHandle locks = opening.File;
        RefuseOpen(locks);
        try
        {
            using TransactionFile file = TransactionFile.Open(_files);
            file.Read();
        }
        catch (FileNotFoundException)
        {
            // Made anew by the next who opens the store.
        }
        catch (QueueCorruptException)
        {
            Found(TransactionFormat.FileName, "it is damaged: set aside. A transaction that was being committed then may be found in some of its queues alone");
            _aside.Move(TransactionFormat.FileName);
        }
    }

    private void RefuseOpen(SafeFileHandle locks)
    {
        if (Participant.AnyAlive(locks))
        {
            throw new QueueException($"{_files.Directory} is open. Dispose every handle to it, or end the processes that have it open, before it is repaired.");
        }
    }

    private void RunLocked(TimeSpan patience)
    {
        SetAsideIfIrregular(StoreFormat.LockName);
        OpeningLock opening = OpeningLock.Take(_files, patience);
        using SafeFileHandle locks = opening.File;
        RefuseOpen(locks);
        SetAsideIfIrregular(StoreFormat.RepairName);
        bool wasBegun = _files.Exists(StoreFormat.RepairName);
        _files.Touch(StoreFormat.RepairName);
        FailPoint.Reach(ProtocolStep.MendingBegun);
        QueueMeta meta = MendMeta();
        LogWords? words = LogWords.TryRead(_files, meta);
        using var log = new LogMender(_files, meta, _aside, words, RecordKind.Gap);
        var range = new SegmentRange(_files, meta, _aside);
        range.Find(words);
        log.Run(range, decided: null);
        log.Finish();
        Messages = log.Messages;
        FailPoint.Reach(ProtocolStep.MendingLogDone);
        var subscriptions = new SubscriptionMender(_files, meta, _aside);
        subscriptions.MendFiles(log.Start);
        MendControl(meta, words, range.First, log.End, wasBegun || Findings.Count > 0);
        subscriptions.MendPositions(log);
        _aside.Report(Messages);
        FailPoint.Reach(ProtocolStep.MendingDone);
        _files.Delete(StoreFormat.RepairName);
        _files.SyncNames();
    }

    private void SetAsideIfIrregular(string name)
    {
        try
        {
            if (_files.Exists(name))
            {
                _files.OpenExisting(name).Dispose();
            }
        }
        catch (QueueCorruptException)
        {
            Found(name, "it is no file: set aside");
            _aside.Move(name);
        }
    }

    private QueueMeta MendMeta()
    {
        try
        {
            if (_files.Exists(StoreFormat.MetaName))
            {
                QueueMeta read = QueueMeta.Read(_files);
                StoreCheck.VerifySane(_files, read);
                if (!MetaMender.IsAnothersMeta(_files, read.Id))
                {
                    return read;
                }
            }
        }
        catch (QueueException exception) when (!exception.IsOfNewerFormat)
        {
            // Another program's text is a damaged one's, here where segments stand beside it.
        }
        QueueMeta meta = MetaMender.Rebuild(_files);
        Found(StoreFormat.MetaName, "it is damaged, missing or another queue's: made anew from what the segments say");
        if (_files.Exists(StoreFormat.MetaName))
        {
            _aside.Move(StoreFormat.MetaName);
        }
        using SafeFileHandle file = _files.CreateUnfinished(StoreFormat.MetaName);
        RandomAccess.Write(file, meta.ToBytes(), 0);
        _files.Finish(StoreFormat.MetaName, file);
        return meta;
    }

    // All of it can be rebuilt, and is, unless there is nothing to be said against it.
    private void MendControl(QueueMeta meta, LogWords? words, long first, long end, bool isToBeMade)
    {
        (long retainBytes, long retainTicks) = (0, 0);
        try
        {
            using var control = new ControlFile(_files.Map(StoreFormat.ControlName, ControlFormat.Size));
            StoreCheck.VerifyControl(_files, meta, control);
            (retainBytes, retainTicks) = (Math.Max(0, control.RetainBytes), Math.Max(0, control.RetainTicks));
            bool isOfThisBoot = control.BootId == Recommended.Platform.BootId;
            if (isToBeMade || isOfThisBoot)
            {
                // Also where it is made anew in any case: then nothing says whether the log went on behind its last segment.
                StoreCheck.VerifyWords(_files, meta, control);
            }
            if (!isToBeMade && isOfThisBoot)
            {
                TailCheck.Verify(_files, meta, control);
                // In front of a record whose appender died the tail waits for the next one.
                if ((control.Tail == end || (control.Tail < end && control.Turn != 0)) && control.Kept >= first)
                {
                    return;
                }
                Found(StoreFormat.ControlName,
                    $"it says that the log reaches from segment {control.Kept} to position {control.Tail}, which is from {first} to {end}: rebuilt from the segments");
            }
        }
        catch (FileNotFoundException)
        {
            FoundControl("missing", end);
        }
        catch (QueueCorruptException)
        {
            FoundControl("damaged", end);
        }
        if (_files.Exists(StoreFormat.ControlName))
        {
            _aside.Move(StoreFormat.ControlName);
        }
        StoreMaker.MakeControl(_files, meta, bootId: "");
        using var made = new ControlFile(_files.Map(StoreFormat.ControlName, ControlFormat.Size));
        (made.RetainBytes, made.RetainTicks) = (retainBytes, retainTicks);
        Recovery.Run(_files, meta, made, words, _aside);
    }

    private void FoundControl(string what, long end) => Found(StoreFormat.ControlName,
        $"it is {what}: rebuilt from the segments. The log ends at position {end} now; nothing says whether there were messages behind");

    private void Found(string name, string what) => _aside.Found(name, what);
}
