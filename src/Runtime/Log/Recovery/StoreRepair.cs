using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Repairs a queue's damaged files so that it can be opened, with every message that is not damaged itself. Deletes nothing: files that are
/// changed or removed are kept, as they were, in a separate directory. If the repair is killed, it is begun anew; until then no process can
/// open the queue.
/// </summary>
internal sealed class StoreRepair
{
    private readonly QueueFiles _files;
    private readonly Quarantine _aside;

    private StoreRepair(QueueFiles files)
    {
        _files = files;
        _aside = new Quarantine(files);
    }

    public string Directory => _files.Directory;

    public IReadOnlyList<RecoveryFinding> Findings => _aside.Findings;

    public string? SetAside => _aside.Directory;

    /// <summary>How long the repair took.</summary>
    public TimeSpan Duration { get; private set; }

    /// <summary>How many messages can be reached.</summary>
    public long Messages { get; private set; }

    /// <exception cref="QueueException">It is no queue, or a process has it open.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled before the queue was changed.</exception>
    public static StoreRepair Run(string path, Patience patience)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (!CurrentPlatform.Instance.IsDirectory(full) || !QueuesBelow.HasQueueFiles(full))
        {
            throw new QueueException($"{full} is no queue's directory: there is nothing to repair. Give the path of a queue.")
            { Reason = QueueError.NotFound, Path = full };
        }
        var repair = new StoreRepair(new QueueFiles(full, mode: null));
        repair.RunLocked(patience);
        repair.Duration = repair._aside.Duration;
        return repair;
    }

    /// <summary>Repairs what a store has beside its queues.</summary>
    /// <returns>null where the directory is no store.</returns>
    public static StoreRepair? RunStore(string path, Patience patience)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        var files = new QueueFiles(full, mode: null);
        if (!files.Exists(TransactionFormat.FileName) && !files.Exists(TransactionFormat.LockName))
        {
            return null;
        }
        var repair = new StoreRepair(files);
        repair.RepairTransactions(patience);
        repair.Duration = repair._aside.Duration;
        return repair;
    }

    private void RepairTransactions(Patience patience)
    {
        SetAsideIfIrregular(TransactionFormat.LockName);
        using var opening = OpeningLock.Take(_files, patience, TransactionFormat.LockName);
        Participant.RefuseAlive(opening.File, Directory, "repaired", patience.Token);
        try
        {
            using var file = TransactionFile.Open(_files);
            file.Read();
        }
        catch (FileNotFoundException)
        {
            // The next opening of the store makes the file anew.
        }
        catch (QueueCorruptException)
        {
            Found(
                TransactionFormat.FileName,
                "it is damaged: set aside. A transaction that was being committed then may be found in some of its queues alone");
            _aside.Move(TransactionFormat.FileName);
        }
        _aside.Report(messages: 0);
    }

    private void RunLocked(Patience patience)
    {
        SetAsideIfIrregular(StoreFormat.LockName);
        using var opening = OpeningLock.Take(_files, patience);
        Participant.RefuseAlive(opening.File, Directory, "repaired", patience.Token);
        QueueDeletion.CompleteIfMarked(_files, patience);
        SetAsideIfIrregular(StoreFormat.RepairName);
        if (QueueDeletion.IsUnfinished(_files))
        {
            // Only reported, not set aside: a directory for it would prevent the next opener from making the queue.
            _aside.Findings.Add(new RecoveryFinding(_files.PathOf(StoreFormat.MetaName), 0, 0,
                "there is nothing to repair: the process that began to make the queue did not finish, and no message is there. The next "
                    + "who opens the queue makes it"));
            _files.Delete(StoreFormat.RepairName);
            return;
        }
        bool wasBegun = _files.Exists(StoreFormat.RepairName);
        QueueMeta? sound = ReadMeta();
        QueueMeta meta = sound ?? MetaRepairer.Rebuild(_files);
        LostLockFile.Fence(_files, patience, opening.File);
        // From here on, files change.
        _files.Touch(StoreFormat.RepairName);
        FailPoint.Reach(ProtocolStep.RepairBegun);
        if (sound is null)
        {
            MakeMeta(meta);
        }
        FirstSegment.ReserveForRecovery(_files, meta);
        NameUnfinishedControl(meta);
        using ControlFile? control = TryOpenControl(StoreFormat.ControlName, meta, out string? isWrong);
        if (control is not null)
        {
            CopiedWords.Distrust(_files, meta, control);
        }
        LogBounds? words = control is null ? null : LogBounds.Of(meta, control);
        isWrong ??= words is null && control?.BootId.Length > 0 ? "damaged" : null;
        using var log = new LogRepairer(_files, meta, _aside, words, Recovery.DecidedFor(_files, meta), RecordKind.Gap)
        {
            Progress = new OpeningProgress(opening.File),
        };
        log.Run();
        var subscriptions = new SubscriptionRepairer(_files, meta, _aside);
        subscriptions.RepairFiles(log.Oldest);
        if (control is not null)
        {
            subscriptions.RepairMissing(log.Oldest, StoreCheck.MissingSubscriptions(_files, control));
        }
        FindControl(isWrong, control, log, meta);
        if (control is not null && (EpochTable.AreUnknown(control) || EpochTable.DamagedAt(control) is not null))
        {
            Found(StoreFormat.ControlName, EpochTable.AreUnknown(control) ? StoreCheck.RenamedEpochs : StoreCheck.DamagedEpochsCopy);
        }
        bool isFound = wasBegun || Findings.Count > 0;
        if (isFound || control is null || log.Decided is not null || !Recovery.IsAsLeft(_files, meta, control, words)
            || !subscriptions.Fit(log))
        {
            log.Seal();
            FailPoint.Reach(ProtocolStep.RepairLogDone);
            using ControlFile? made = isFound || control is null ? MakeControl(meta, control) : null;
            Recovery.Finish(log, _files, meta, made ?? control!, _aside);
        }
        Messages = log.Messages;
        FailPoint.Reach(ProtocolStep.RepairDone);
        _files.Delete(StoreFormat.RepairName);
        _files.SyncNames();
    }

    private ControlFile? TryOpenControl(string name, QueueMeta meta, out string? isWrong)
    {
        isWrong = "damaged";
        try
        {
            var control = new ControlFile(_files.Map(name, ControlFormat.Size));
            if (control.Belongs(meta.Id))
            {
                isWrong = null;
                return control;
            }
            control.Dispose();
        }
        catch (FileNotFoundException)
        {
            isWrong = "missing";
        }
        catch (QueueCorruptException)
        {
        }
        return null;
    }

    private void FindControl(string? isWrong, ControlFile? control, LogRepairer log, QueueMeta meta)
    {
        if (isWrong is not null)
        {
            Found(StoreFormat.ControlName,
                $"it is {isWrong}: rebuilt from the segments. The log ends at position {log.End} now; nothing says whether there were "
                    + "messages behind");
        }
        // After an appender died, the tail may be in front of a published record until the next appender moves it.
        else if (log.Words is { MayBeTorn: false, End: var tail } words
            && (log.RecordStart(tail) != tail || (tail < log.End && control!.AppendHolder<MachineMemory>() == 0)
                || words.FirstRetained < log.First / meta.SegmentSize))
        {
            Found(StoreFormat.ControlName, $"it says that the log reaches from segment {words.FirstRetained} to position {tail}, "
                + $"which is from {log.First / meta.SegmentSize} to {log.End}: rebuilt from the segments");
        }
    }

    // The whole file is made anew, because its other words may be damaged, too, and all of them can be rebuilt. But settings and epochs are
    // nowhere else: the new file has them before it takes the name of the old one, of which a copy is kept.
    private ControlFile MakeControl(QueueMeta meta, ControlFile? before)
    {
        if (before is not null)
        {
            StoreCreator.ReplaceControl(_files, meta, before, SetControlAside);
        }
        else
        {
            if (_files.Exists(StoreFormat.ControlName))
            {
                _aside.Move(StoreFormat.ControlName);
            }
            StoreCreator.MakeControl(_files, meta, bootId: "");
        }
        return new ControlFile(_files.Map(StoreFormat.ControlName, ControlFormat.Size));
    }

    // A file that a process looks at cannot be replaced everywhere, but moved. Then a kill leaves no control file, and a new one without a
    // name: the next repair names it.
    private void SetControlAside()
    {
        if (CurrentPlatform.Instance.ReplacesMapped)
        {
            _aside.Copy(StoreFormat.ControlName);
        }
        else
        {
            _aside.Move(StoreFormat.ControlName);
        }
    }

    private void NameUnfinishedControl(QueueMeta meta)
    {
        const string Unfinished = StoreFormat.ControlName + StoreFormat.UnfinishedSuffix;
        if (_files.Exists(StoreFormat.ControlName))
        {
            return;
        }
        using (ControlFile? unfinished = TryOpenControl(Unfinished, meta, out _))
        {
            if (unfinished is null)
            {
                return;
            }
        }
        _files.Rename(Unfinished, StoreFormat.ControlName);
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

    // null if the file must be made anew.
    private QueueMeta? ReadMeta()
    {
        try
        {
            if (_files.Exists(StoreFormat.MetaName))
            {
                var read = QueueMeta.Read(_files);
                StoreCheck.VerifySane(_files, read);
                return MetaRepairer.IsAnothersMeta(_files, read.Id) ? null : read;
            }
        }
        catch (QueueException exception) when (exception.Reason != QueueError.NewerFormat)
        {
            // Another program's text: here, beside segments, it counts as a damaged file.
        }
        return null;
    }

    private void MakeMeta(QueueMeta meta)
    {
        Found(StoreFormat.MetaName, "it is damaged, missing or another queue's: made anew from what the segments say");
        if (_files.Exists(StoreFormat.MetaName))
        {
            _aside.Move(StoreFormat.MetaName);
        }
        using SafeFileHandle file = _files.CreateUnfinished(StoreFormat.MetaName);
        QueueFiles.Write(file, meta.ToBytes(), 0);
        _files.Finish(StoreFormat.MetaName, file);
    }

    private void Found(string name, string what) => _aside.Found(name, what);
}
