using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Every subscription of the queue, mapped; notices new ones by the control file's count.</summary>
internal sealed class SubscriptionSet(QueueFiles files, QueueMeta meta, ControlFile control) : IDisposable
{
    private readonly Dictionary<string, SubscriptionFile> _files = [];
    private long _seen = -1;

    /// <summary>The subscription of this name.</summary>
    /// <exception cref="QueueException">There is none.</exception>
    public SubscriptionFile Get(string name)
    {
        lock (_files)
        {
            Refresh();
            return _files.TryGetValue(name, out SubscriptionFile? file)
                ? file
                : throw new QueueException($"{files.Directory} has no subscription named '{name}'.");
        }
    }

    /// <summary>
    /// The first position that some subscription still needs: not handed out yet, or leased and not committed.
    /// </summary>
    public long OldestNeeded()
    {
        lock (_files)
        {
            Refresh();
            long oldest = long.MaxValue;
            foreach (SubscriptionFile file in _files.Values)
            {
                oldest = Math.Min(oldest, file.OldestNeeded());
            }
            return oldest;
        }
    }

    private void Refresh()
    {
        long now = MachineMemory.Load(ref control.Subscriptions);
        if (now == _seen)
        {
            return;
        }
        foreach (string path in Directory.EnumerateFiles(files.Directory, StoreFormat.SubscriptionPrefix + "*"))
        {
            string name = Path.GetFileName(path)[StoreFormat.SubscriptionPrefix.Length..];
            if (!name.EndsWith(StoreFormat.UnfinishedSuffix, StringComparison.Ordinal) && !_files.ContainsKey(name))
            {
                _files.Add(name, SubscriptionFile.Open(files, meta, name));
            }
        }
        _seen = now;
    }

    public void Dispose()
    {
        lock (_files)
        {
            foreach (SubscriptionFile file in _files.Values)
            {
                file.Dispose();
            }
            _files.Clear();
        }
    }
}
