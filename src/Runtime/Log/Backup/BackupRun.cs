namespace BlitQueue.Log;

/// <summary>
/// Copies a queue with its dead letters, a store or lanes, as they are at one moment, into a directory. The usual recovery then makes the
/// copies queues that can be opened.
/// </summary>
internal sealed class BackupRun(DirectoryKind source, string target, Patience patience) : IDisposable
{
    private readonly Dictionary<string, QueueBackup> _queues = [];
    private readonly UnixFileMode _rights = QueueBackup.RightsOf(source.Path);

    /// <summary>The findings of the copies' recovery.</summary>
    public List<RecoveryFinding> Damaged { get; } = [];

    /// <summary>How many bytes are to be copied.</summary>
    public long Bytes => _queues.Values.Sum(static queue => queue.Bytes);

    /// <summary>
    /// Notes what is to be copied. In a store, while no transaction is committed: so each transaction is in all of its queues' copies or in
    /// none.
    /// </summary>
    public void Note()
    {
        if (source.IsStore)
        {
            NoteStore();
        }
        else
        {
            NoteAll(source);
        }
        // Queues that were deleted since this run opened them.
        foreach (QueueBackup gone in _queues.Values.Where(static queue => !queue.IsNoted).ToArray())
        {
            _queues.Remove(gone.Path);
            gone.Dispose();
        }
    }

    private void NoteStore()
    {
        UnixFileMode mode = FileRights.Of(source.Path, asked: null).Mode;
        using var store = TransactionStore.Open(source.Path, mode, patience, make: false);
        // The queues are opened first, because that takes longest.
        foreach (string path in source.Queues.Where(QueueBackup.IsMade))
        {
            Begun(path);
        }
        store.AcquireLock(patience);
        try
        {
            RefuseOwed();
            var now = DirectoryKind.Of(source.Path, "back up");
            QueuesBelow.RequireNone(now.Lost);
            NoteAll(now);
        }
        finally
        {
            store.ReleaseLock();
        }
    }

    private void NoteAll(DirectoryKind kind)
    {
        foreach (string path in kind.Main().Where(path => path == kind.Path || QueueBackup.IsMade(path)))
        {
            NoteWithLetters(Begun(path));
        }
    }

    private QueueBackup Begun(string path)
    {
        if (!_queues.TryGetValue(path, out QueueBackup? queue))
        {
            _queues.Add(path, queue = QueueBackup.Begin(path, patience));
        }
        return queue;
    }

    // Refuses a store with a committed transaction that a queue whose disk has failed could not carry out.
    private void RefuseOwed()
    {
        if (NamedFiles.In(source.Path, TransactionFormat.OwedName("")).FirstOrDefault() is { } owed)
        {
            throw new QueueException(
                $"{owed}: a committed transaction is not carried out in that queue yet, as its disk has failed. End all use of the queue "
                    + "and open it anew; then back up the store.")
            { Reason = QueueError.DiskFailed, Path = owed };
        }
    }

    // A message stays in its queue until its dead letter is written: so the letters are noted after the queue. A program that puts a
    // message back takes its letter before: so which letters were taken is noted before the queue.
    private void NoteWithLetters(QueueBackup queue)
    {
        foreach (string path in queue.DeadLetters())
        {
            Begun(path).NoteSubscriptions();
        }
        queue.NoteSubscriptions();
        queue.NoteLog();
        foreach (string path in queue.DeadLetters())
        {
            QueueBackup letters = Begun(path);
            letters.NoteSubscriptions();
            letters.NoteLog();
        }
    }

    /// <summary>Copies the noted files.</summary>
    public void Copy(VerifyTally tally)
    {
        if (source.IsStore)
        {
            TransactionFile.Make(new QueueFiles(target, QueueBackup.RightsOf(Path.Combine(source.Path, TransactionFormat.FileName))));
        }
        if (source.IsLanes)
        {
            File.Copy(Path.Combine(source.Path, LanesMeta.Name), Path.Combine(target, LanesMeta.Name));
        }
        foreach (QueueBackup queue in _queues.Values)
        {
            queue.CopyTo(TargetOf(queue), tally);
        }
        QueueBackup.SetRights(target, _rights);
    }

    /// <summary>Recovers the copies, as after a restart of the machine. Releases the originals before.</summary>
    public void Recover()
    {
        (string Path, UnixFileMode Mode)[] copies = [.. _queues.Values.Select(queue => (TargetOf(queue), queue.Mode))];
        Dispose();
        foreach ((string path, UnixFileMode mode) in copies)
        {
            using var copy = QueueStore.Open(
                path, new StoreOptions { FileMode = mode, Patience = patience, LeavesEnded = true, Schema = null });
            Damaged.AddRange(copy.Recovered?.Findings ?? []);
        }
    }

    private string TargetOf(QueueBackup queue) => Path.GetFullPath(Path.Combine(target, Path.GetRelativePath(source.Path, queue.Path)));

    public void Dispose()
    {
        foreach (QueueBackup queue in _queues.Values)
        {
            queue.Dispose();
        }
        _queues.Clear();
    }
}
