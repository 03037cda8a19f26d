using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>Every subscription of the queue, mapped; notices new ones by the control file's count.</summary>
/// <remarks>
/// The count is odd while one is being made or deleted, which happens under the <see cref="MaintenanceLock"/>. A holder of that lock that
/// finds it odd finds what a dead maker left, so that nobody need look for files whose count is even and known.
/// </remarks>
internal sealed class SubscriptionSet(QueueFiles files, QueueMeta meta, ControlFile control, CallGate gate) : IDisposable
{
    private readonly Dictionary<string, SubscriptionFile> _files = [];

    // Mappings of deleted ones, which calls that are running may still use, and those who look from outside of a call.
    private readonly List<(MappedRegion Region, CallSnapshot Users)> _retired = [];
    private int _lookers;
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

    /// <summary>Whether one of them is as asked; allocates nothing.</summary>
    public bool IsAny(Func<SubscriptionFile, bool> isSo)
    {
        lock (_files)
        {
            Refresh();
            foreach (SubscriptionFile file in _files.Values)
            {
                if (isSo(file))
                {
                    return true;
                }
            }
            return false;
        }
    }

    /// <summary>
    /// Makes a subscription that starts at a position. The caller has the maintenance lock, and holds what the position is in.
    /// </summary>
    /// <exception cref="QueueFullException">The disk has no room for its file.</exception>
    public SubscriptionFile Make(string name, long start, bool isEphemeral = false, TimeSpan? expiresAfter = null)
    {
        long before = BeginChange(), after = before;
        try
        {
            // One that a dead maker left is not made a second time: others have looked, and have it mapped.
            if (Find(name) is null)
            {
                after = 0;
                MakeFile(name, start, isEphemeral, expiresAfter);
                FailPoint.Reach(ProtocolStep.SubscriptionMade);
                after = before == 0 ? 0 : before + 1;
            }
        }
        catch when (!files.Exists(StoreFormat.SubscriptionName(name)))
        {
            // Nothing was made.
            after = before;
            throw;
        }
        finally
        {
            EndChange(after);
        }
        SubscriptionFile made = Find(name)!;
        if (MachineMemory.Load(ref control.InStore) != 0)
        {
            MachineMemory.Store(ref made.Leases, 1);
        }
        return made;
    }

    // From here on all look for files, until the change is over; nobody knows how many there are, until it has succeeded.
    private long BeginChange()
    {
        if (!IsBeingChanged)
        {
            MachineMemory.Increment(ref control.Subscriptions);
        }
        long counted = control.SubscriptionFiles;
        MachineMemory.Store(ref control.SubscriptionFiles, 0);
        return counted;
    }

    // The word for how many there are: 0 where a change has failed midway.
    private void EndChange(long counted)
    {
        MachineMemory.Store(ref control.SubscriptionFiles, counted);
        MachineMemory.Increment(ref control.Subscriptions);
    }

    /// <summary>Whether one is being made or deleted, or was when its maker or deleter died.</summary>
    public bool IsBeingChanged => (MachineMemory.Load(ref control.Subscriptions) & 1) != 0;

    /// <summary>
    /// Ends the change that a dead maker or deleter had begun. The caller has the maintenance lock, so no living one is at it.
    /// </summary>
    public void EndDeadChange()
    {
        if (IsBeingChanged)
        {
            EndChange(1 + SubscriptionFile.CountThere(files, meta));
        }
    }

    private void MakeFile(string name, long start, bool isEphemeral, TimeSpan? expiresAfter)
    {
        try
        {
            SubscriptionFile.Make(files, meta, name, start, isEphemeral, expiresAfter);
        }
        catch (IOException exception)
        {
            files.Delete(StoreFormat.SubscriptionName(name) + StoreFormat.UnfinishedSuffix);
            throw DiskFullException.Is(exception)
                ? new QueueFullException(
                    $"{files.Directory}: the disk has no room for a subscription ({SubscriptionFormat.Size} bytes). Free disk space.",
                    exception)
                : SystemFailure.Of(files.PathOf(StoreFormat.SubscriptionName(name)), exception);
        }
    }

    /// <summary>
    /// Has the consumers of every subscription look around, as where leases are taken; of later ones too, by the mark in the control file.
    /// </summary>
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

    /// <summary>Deletes a subscription. The caller has the maintenance lock.</summary>
    /// <returns>false when there is none of this name.</returns>
    public bool Delete(string name)
    {
        if (Find(name) is not { } file)
        {
            return false;
        }
        long known = _seen;
        long before = BeginChange(), after = 0;
        try
        {
            file.MarkGone();
            FailPoint.Reach(ProtocolStep.SubscriptionMarkedGone);
            files.Delete(StoreFormat.SubscriptionName(name));
            // Before segments go that nobody else needs: it must not come back in front of them.
            files.SyncNames();
            after = before == 0 ? 0 : before - 1;
        }
        finally
        {
            EndChange(after);
        }
        ForgetDeleted(file, known);
        return true;
    }

    // Nobody else changes anything meanwhile, so that what was known before is known now: the
    // directory need not be looked through for each.
    private void ForgetDeleted(SubscriptionFile file, long known)
    {
        lock (_files)
        {
            if (_seen == known && known + 2 == MachineMemory.Load(ref control.Subscriptions))
            {
                Retire(file);
                UnmapUnused();
                _seen = known + 2;
            }
        }
    }

    private void Retire(SubscriptionFile gone)
    {
        _files.Remove(gone.Name);
        _retired.Add((gone.Abandon(), gate.Everyone()));
    }

    /// <summary>
    /// The first position that some subscription still needs: not handed out yet, or leased and not committed.
    /// </summary>
    /// <param name="enough">One that is before this is good enough, though another subscription may need what is older still.</param>
    public long OldestNeeded(long enough = long.MinValue)
    {
        lock (_files)
        {
            Refresh();
            long oldest = long.MaxValue;
            foreach (SubscriptionFile file in _files.Values)
            {
                oldest = Math.Min(oldest, file.OldestNeeded());
                if (oldest < enough)
                {
                    break;
                }
            }
            return oldest;
        }
    }

    /// <summary>Brings to the disk where all subscriptions are. Called outside of a call too, and takes as long as the disk does.</summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync() => WhileMapped(() =>
    {
        foreach (SubscriptionFile file in All())
        {
            file.Sync();
        }
    });

    /// <summary>
    /// Runs work outside of a call, that looks into subscriptions: those that are deleted meanwhile stay mapped until it ends.
    /// </summary>
    public void WhileMapped(Action work)
    {
        lock (_files)
        {
            _lookers++;
        }
        try
        {
            work();
        }
        finally
        {
            lock (_files)
            {
                _lookers--;
            }
        }
    }

    private void Refresh()
    {
        long now = MachineMemory.Load(ref control.Subscriptions);
        if (now == _seen && (now & 1) == 0)
        {
            return;
        }
        foreach (SubscriptionFile gone in _files.Values.Where(file => file.IsGone).ToArray())
        {
            Retire(gone);
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

    private void UnmapUnused()
    {
        if (_lookers > 0)
        {
            return;
        }
        _retired.RemoveAll(static entry =>
        {
            bool over = entry.Users.IsOver;
            if (over)
            {
                entry.Region.Dispose();
            }
            return over;
        });
    }

    /// <summary>Deletes the files of subscriptions that are marked as deleted. The caller keeps others from doing so.</summary>
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

    private string[] Names() => SystemFailure.Told(files.Directory, () => SubscriptionFile.Names(files));

    private SubscriptionFile? TryOpen(string name) => SystemFailure.Told(files.PathOf(StoreFormat.SubscriptionName(name)), () =>
    {
        try
        {
            return SubscriptionFile.Open(files, meta, name);
        }
        catch (FileNotFoundException)
        {
            return null;
        }
    });

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
