using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>All subscriptions of the queue, mapped. It notices new ones by a counter in the control file.</summary>
/// <remarks>
/// The counter is odd while somebody makes or deletes a subscription, under the <see cref="MaintenanceLock"/>. A holder of that lock that
/// finds it odd knows that a maker or deleter died. So no process needs to look for files as long as the counter is even and unchanged.
/// </remarks>
internal sealed class SubscriptionSet(QueueFiles files, QueueMeta meta, ControlFile control, CallGate gate) : IDisposable
{
    private readonly Dictionary<string, SubscriptionFile> _files = [];

    // Mappings of deleted subscriptions, which running calls may still use, and work that runs outside of calls.
    private readonly List<(MappedRegion Region, CallSnapshot Users)> _retired = [];
    private int _lookers;
    private long _seen = -1;

    /// <summary>The subscription with this name; null when there is none.</summary>
    public SubscriptionFile? Find(string name)
    {
        lock (_files)
        {
            Refresh();
            return _files.GetValueOrDefault(name);
        }
    }

    /// <summary>All subscriptions, sorted by name.</summary>
    public SubscriptionFile[] All()
    {
        lock (_files)
        {
            Refresh();
            return [.. _files.Values.OrderBy(file => file.Name, StringComparer.Ordinal)];
        }
    }

    /// <summary>Whether the function is true for any of them; allocates nothing.</summary>
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
    /// Makes a subscription that starts at a position. The caller holds the maintenance lock, and the segment that the position is in.
    /// </summary>
    /// <exception cref="QueueFullException">The disk has no room for its file.</exception>
    /// <exception cref="ArgumentException">Another subscription's name differs from this one in upper and lower case alone.</exception>
    public SubscriptionFile Make(string name, long start, bool isEphemeral = false, TimeSpan? expiresAfter = null)
    {
        RequireOwnFile(name);
        long before = BeginChange(), after = before;
        try
        {
            // A subscription that a dead maker left is not made a second time: others have looked, and have it mapped.
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
            // No subscription was made.
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

    // On Windows and macOS the two would have one file.
    private void RequireOwnFile(string name)
    {
        string? other = CurrentPlatform.Instance.IgnoresCase
            ? Array.Find(Names(), there => there != name && there.Equals(name, StringComparison.OrdinalIgnoreCase))
            : null;
        if (other is not null)
        {
            throw new ArgumentException(
                $"{files.Directory} has a subscription '{other}', whose name differs from '{name}' in upper and lower case alone: on this "
                + $"system the two would have the same file. Subscribe to '{other}', or choose another name.", nameof(name));
        }
    }

    // From here on each process looks for files until the change is over, and none knows their number until the change has succeeded.
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

    // The value of the word for how many there are: 0 where a change failed midway.
    private void EndChange(long counted)
    {
        MachineMemory.Store(ref control.SubscriptionFiles, counted);
        MachineMemory.Increment(ref control.Subscriptions);
    }

    /// <summary>Whether somebody is making or deleting a subscription, or died while doing so.</summary>
    public bool IsBeingChanged => (MachineMemory.Load(ref control.Subscriptions) & 1) != 0;

    /// <summary>
    /// Ends the change that a dead maker or deleter had begun. The caller holds the maintenance lock, so no living one is at work.
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
                { Path = files.Directory }
                : SystemFailure.Of(files.PathOf(StoreFormat.SubscriptionName(name)), exception);
        }
    }

    /// <summary>
    /// Makes the consumers of every subscription look around, as they do where leases are taken. By the mark in the control file those of
    /// later subscriptions do so, too.
    /// </summary>
    public void LookAround()
    {
        // It is called outside of calls, too: under this lock nothing is unmapped.
        lock (_files)
        {
            foreach (SubscriptionFile file in All())
            {
                MachineMemory.Store(ref file.Leases, 1);
            }
        }
    }

    /// <summary>Deletes a subscription. The caller holds the maintenance lock.</summary>
    /// <returns>false when there is none with this name.</returns>
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
            DeleteFiles(name);
            // Before segments are given up that no other one needs: a power loss must not bring back a subscription whose position is
            // before the log's first segment.
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

    // No other process changes anything meanwhile, so what was known before is still known: this need not look through the directory for
    // each deletion.
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
    /// The first position that any subscription still needs: its message was not handed out yet, or is leased and not committed.
    /// </summary>
    /// <param name="enough">A position before this one is good enough, although another subscription may need an older one.</param>
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

    /// <summary>
    /// Syncs the positions of all subscriptions to the disk. It is also called outside of calls, and takes as long as the disk does.
    /// </summary>
    /// <exception cref="IOException">The disk refused.</exception>
    public void Sync() => WhileMapped(() =>
    {
        foreach (SubscriptionFile file in All())
        {
            file.Sync();
        }
    });

    /// <summary>Runs work outside of a call that reads subscriptions: those that are deleted meanwhile stay mapped until it ends.</summary>
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
            // A marked subscription that still has its name is being deleted, or its deleter died.
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

    /// <summary>Deletes the files of subscriptions that are marked as deleted. The caller makes sure that no other process does.</summary>
    public void DeleteGone()
    {
        lock (_files)
        {
            foreach (string name in Names())
            {
                using SubscriptionFile? file = _files.ContainsKey(name) ? null : TryOpen(name);
                if (file?.IsGone == true)
                {
                    DeleteFiles(name);
                }
            }
        }
    }

    // The reasons first: if this process dies in between, the next one finds the subscription, and deletes both. A new subscription of the
    // name must not find reasons of an earlier one.
    private void DeleteFiles(string name)
    {
        files.Delete(StoreFormat.ReasonsName(name));
        files.Delete(StoreFormat.SubscriptionName(name));
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
