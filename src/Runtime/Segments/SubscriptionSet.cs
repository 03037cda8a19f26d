using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Segments;

/// <summary>Every subscription of the queue, mapped; notices new ones by the control file's count.</summary>
internal sealed class SubscriptionSet(QueueFiles files, QueueMeta meta, ControlFile control, CallGate gate) : IDisposable
{
    private readonly Dictionary<string, SubscriptionFile> _files = [];

    // Mappings of deleted ones, which calls that are running may still use.
    private readonly List<(MappedRegion Region, CallSnapshot Users)> _retired = [];
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
        // One that was made and not announced is not made a second time: who has looked for files by itself has the first one's mapped.
        if (!IsThere(name))
        {
            MakeFile(name, start);
            FailPoint.Reach(ProtocolStep.SubscriptionMade);
        }
        MachineMemory.Increment(ref control.Subscriptions);
        SubscriptionFile made = Find(name)!;
        if (MachineMemory.Load(ref control.InStore) != 0)
        {
            MachineMemory.Store(ref made.Leases, 1);
        }
        return made;
    }

    private bool IsThere(string name)
    {
        lock (_files)
        {
            Refresh(look: true);
            return _files.ContainsKey(name);
        }
    }

    private void MakeFile(string name, long start)
    {
        try
        {
            SubscriptionFile.Make(files, meta, name, start);
        }
        catch (IOException exception)
        {
            files.Delete(StoreFormat.SubscriptionName(name) + StoreFormat.UnfinishedSuffix);
            throw DiskFull.Is(exception)
                ? new QueueFullException(
                    $"{files.Directory}: the disk has no room for a subscription ({SubscriptionFormat.Size} bytes). Free disk space.", exception)
                : SystemFailure.Of(files.PathOf(StoreFormat.SubscriptionName(name)), exception);
        }
    }

    /// <summary>Has the consumers of every subscription look around, as where leases are taken; of later ones too, by the mark in the control file.</summary>
    public void LookAround()
    {
        // Called outside of a call too: nothing is unmapped meanwhile.
        lock (_files)
        {
            foreach (SubscriptionFile file in All())
            {
                MachineMemory.Store(ref file.Leases, 1);
            }
        }
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
        // Before segments go that nobody else needs: it must not come back in front of them.
        Recommended.Platform.SyncDirectory(files.Directory);
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

    /// <summary>Brings to the disk where all subscriptions are.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync()
    {
        foreach (SubscriptionFile file in All())
        {
            file.Sync();
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
            _retired.Add((gone.Abandon(), gate.Everyone()));
        }
        UnmapUnused();
        foreach (string name in Names().Where(name => !_files.ContainsKey(name)))
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

    private void UnmapUnused() => _retired.RemoveAll(static entry =>
    {
        bool over = entry.Users.IsOver;
        if (over)
        {
            entry.Region.Dispose();
        }
        return over;
    });

    /// <summary>Deletes the files of subscriptions that are marked as nobody's. The caller keeps others from doing so.</summary>
    public void DeleteGone()
    {
        lock (_files)
        {
            foreach (string name in Names())
            {
                using SubscriptionFile? file = _files.ContainsKey(name) ? null : TryOpen(name);
                if (file?.IsGone == true)
                {
                    files.Delete(StoreFormat.SubscriptionName(name));
                }
            }
        }
    }

    private string[] Names()
    {
        try
        {
            return [.. Directory.EnumerateFileSystemEntries(files.Directory, StoreFormat.SubscriptionPrefix + "*")
                .Select(path => Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..])
                .Where(name => !name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal))];
        }
        catch (IOException exception)
        {
            throw SystemFailure.Of(files.Directory, exception);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw QueueDirectory.NoRights(files.Directory, exception);
        }
    }

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
        catch (IOException exception)
        {
            throw SystemFailure.Of(files.PathOf(StoreFormat.SubscriptionName(name)), exception);
        }
        catch (UnauthorizedAccessException exception)
        {
            throw QueueDirectory.NoRights(files.PathOf(StoreFormat.SubscriptionName(name)), exception);
        }
    }

    public void Dispose()
    {
        lock (_files)
        {
            foreach (SubscriptionFile file in _files.Values)
            {
                file.SyncIfUnsettled();
                file.Dispose();
            }
            foreach ((MappedRegion region, _) in _retired)
            {
                region.Dispose();
            }
            _files.Clear();
            _retired.Clear();
        }
    }
}
