using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>Every subscription of the queue, mapped; notices new ones by the control file's count.</summary>
internal sealed class SubscriptionSet(QueueFiles files, QueueMeta meta, ControlFile control) : IDisposable
{
    private readonly Dictionary<string, SubscriptionFile> _files = [];

    // Deleted ones, whose mappings somebody of this handle may still use.
    private readonly List<SubscriptionFile> _gone = [];
    private long _seen = -1;

    /// <summary>The subscription of this name; null when there is none.</summary>
    public SubscriptionFile? Find(string name)
    {
        lock (_files)
        {
            Refresh();
            return _files.GetValueOrDefault(name);
        }
    }

    /// <summary>All subscriptions, by name.</summary>
    public SubscriptionFile[] All()
    {
        lock (_files)
        {
            Refresh();
            return [.. _files.Values.OrderBy(file => file.Name, StringComparer.Ordinal)];
        }
    }

    /// <summary>Makes a subscription that starts at a position. The caller keeps segments from being deleted meanwhile.</summary>
    /// <exception cref="QueueFullException">The disk has no room for its file.</exception>
    public SubscriptionFile Make(string name, long start)
    {
        try
        {
            SubscriptionFile.Make(files, meta, name, start);
        }
        catch (IOException exception) when (DiskFull.Is(exception))
        {
            files.Delete(StoreFormat.SubscriptionName(name) + StoreFormat.UnfinishedSuffix);
            throw new QueueFullException(
                $"{files.Directory}: the disk has no room for a subscription ({SubscriptionFormat.Size} bytes). Free disk space.", exception);
        }
        FailPoint.Reach(ProtocolStep.SubscriptionMade);
        MachineMemory.Increment(ref control.Subscriptions);
        return Find(name)!;
    }

    /// <summary>Deletes a subscription. The caller keeps segments from being deleted meanwhile.</summary>
    /// <returns>false when there is none of this name.</returns>
    public bool Delete(string name)
    {
        if (Find(name) is not { } file)
        {
            return false;
        }
        file.MarkGone();
        FailPoint.Reach(ProtocolStep.SubscriptionMarkedGone);
        files.Delete(StoreFormat.SubscriptionName(name));
        MachineMemory.Increment(ref control.Subscriptions);
        return true;
    }

    /// <summary>
    /// The first position that some subscription still needs: not handed out yet, or leased and not committed.
    /// </summary>
    /// <param name="look">Whether to look for new files even if nobody said that there are any: their maker may have died before it did.</param>
    public long OldestNeeded(bool look = false)
    {
        lock (_files)
        {
            Refresh(look);
            long oldest = long.MaxValue;
            foreach (SubscriptionFile file in _files.Values)
            {
                oldest = Math.Min(oldest, file.OldestNeeded());
            }
            return oldest;
        }
    }

    private void Refresh(bool look = false)
    {
        long now = MachineMemory.Load(ref control.Subscriptions);
        if (now == _seen && !look)
        {
            return;
        }
        foreach (SubscriptionFile gone in _files.Values.Where(file => file.IsGone).ToArray())
        {
            _files.Remove(gone.Name);
            _gone.Add(gone);
        }
        foreach (string name in Names().Where(name => !_files.ContainsKey(name)).ToArray())
        {
            if (TryOpen(name) is not { } file)
            {
                continue;
            }
            // One that is marked and still has its name is being deleted, or its deleter died.
            if (file.IsGone)
            {
                file.Dispose();
                continue;
            }
            _files.Add(name, file);
        }
        _seen = now;
    }

    /// <summary>Deletes the files of subscriptions that are marked as nobody's. The caller keeps others from doing so.</summary>
    public void DeleteGone()
    {
        lock (_files)
        {
            foreach (string name in Names().ToArray())
            {
                using SubscriptionFile? file = _files.ContainsKey(name) ? null : TryOpen(name);
                if (file?.IsGone == true)
                {
                    files.Delete(StoreFormat.SubscriptionName(name));
                }
            }
        }
    }

    private IEnumerable<string> Names() =>
        Directory.EnumerateFiles(files.Directory, StoreFormat.SubscriptionPrefix + "*")
            .Select(path => Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..])
            .Where(name => !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal));

    private SubscriptionFile? TryOpen(string name)
    {
        try
        {
            return SubscriptionFile.Open(files, meta, name);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    }

    public void Dispose()
    {
        lock (_files)
        {
            foreach (SubscriptionFile file in _files.Values.Concat(_gone))
            {
                file.Dispose();
            }
            _files.Clear();
            _gone.Clear();
        }
    }
}
