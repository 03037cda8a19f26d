namespace BlitQueue.Segments;

/// <summary>The subscriptions of a queue that is being recovered, and where in the log each stands.</summary>
/// <remarks>
/// A subscription may be newer on the disk than the log: then it stands behind the log's end, or in what was sealed, where bytes of the
/// time before may still look like messages. So each goes back to the last record, or end, at or in front of its position.
/// </remarks>
internal sealed class SubscriptionRecovery : IDisposable
{
    private readonly QueueFiles _files;
    private readonly List<SubscriptionFile> _subscriptions = [];
    private readonly long[] _wanted;
    private readonly long[] _places;

    /// <param name="files">The queue's.</param>
    /// <param name="meta">The queue's.</param>
    public SubscriptionRecovery(QueueFiles files, QueueMeta meta)
    {
        _files = files;
        foreach (string path in Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SubscriptionPrefix + "*"))
        {
            if (!path.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))
            {
                _subscriptions.Add(SubscriptionFile.Open(files, meta, Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..]));
            }
        }
        _wanted = [.. _subscriptions.Select(static file => file.TrustedNext)];
        _places = new long[_wanted.Length];
    }

    /// <summary>The scan of the log has come to a record, or to the log's end.</summary>
    public void Pass(long position)
    {
        for (int i = 0; i < _wanted.Length; i++)
        {
            if (_wanted[i] >= position)
            {
                _places[i] = position;
            }
        }
    }

    /// <summary>Makes the words fit the log, and brings them to the disk: what comes behind the log's end is to be delivered.</summary>
    /// <param name="kept">The first position that is still there; everybody had passed what was before.</param>
    /// <param name="first">The first message that is there from its beginning on.</param>
    /// <param name="end">The log's end, in front of a seal.</param>
    /// <param name="queueId">The queue's id.</param>
    /// <param name="decided">The committed transaction that may not be completed; null where there is none.</param>
    /// <exception cref="QueueFailedException">The disk refused.</exception>
    public void Run(long kept, long first, long end, Guid queueId, DecidedTransaction? decided)
    {
        for (int i = 0; i < _wanted.Length; i++)
        {
            SubscriptionFile file = _subscriptions[i];
            file.Recover(kept, _places[i] < kept ? Math.Min(first, end) : Math.Min(_places[i], end), queueId, decided);
            Recovery.SyncOrFail(_files.PathOf(StoreFormat.SubscriptionName(file.Name)), file.Sync);
        }
    }

    public void Dispose()
    {
        foreach (SubscriptionFile file in _subscriptions)
        {
            file.Dispose();
        }
    }
}
