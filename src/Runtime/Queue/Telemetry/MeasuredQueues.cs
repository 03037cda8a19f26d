namespace BlitQueue;

/// <summary>The queues that this process has, or had, open. Handles are known weakly: none lives longer for being measured.</summary>
internal sealed class MeasuredQueues
{
    // The counts of so many queues stay after they were closed.
    private const int MostClosed = 1000;

    private readonly Lock _sync = new();
    private readonly Dictionary<string, MeasuredQueue> _byPath = new(StringComparer.Ordinal);

    public MeasuredQueue Add(IMeasured handle)
    {
        lock (_sync)
        {
            MeasuredQueue queue = this[handle.Path];
            queue.Add(handle);
            return queue;
        }
    }

    /// <summary>The queue in a directory.</summary>
    public MeasuredQueue this[string path]
    {
        get
        {
            lock (_sync)
            {
                if (!_byPath.TryGetValue(path, out MeasuredQueue? queue))
                {
                    RemoveClosed();
                    _byPath[path] = queue = new MeasuredQueue(path);
                }
                return queue;
            }
        }
    }

    public MeasuredQueue[] All()
    {
        lock (_sync)
        {
            return [.. _byPath.Values];
        }
    }

    private void RemoveClosed()
    {
        if (_byPath.Count < MostClosed)
        {
            return;
        }
        foreach (MeasuredQueue queue in All())
        {
            if (!queue.IsOpen)
            {
                _byPath.Remove(queue.Path);
            }
        }
    }
}
