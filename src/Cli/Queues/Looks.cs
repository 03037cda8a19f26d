using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Queues;

/// <summary>Looks at all queues below a directory, again and again.</summary>
internal sealed class Looks(string root) : IDisposable
{
    private readonly Dictionary<string, WatchedQueue> _watched = [];

    /// <summary>How each queue stands, by path.</summary>
    /// <exception cref="QueueException">There is no such directory.</exception>
    public List<QueueFigures> Look()
    {
        IReadOnlyList<string> paths = MappedQueue.List(root);
        foreach (string gone in _watched.Keys.Except(paths).ToArray())
        {
            Forget(gone);
        }
        return [.. paths.Select(Look)];
    }

    /// <summary>What a queue is called below a directory.</summary>
    public static string NameOf(string root, string path)
        => Path.GetRelativePath(root, path) is var name && name == "." ? Path.GetFileName(path) : name;

    private QueueFigures Look(string path)
    {
        try
        {
            if (_watched.TryGetValue(path, out WatchedQueue? queue) && !queue.IsCurrent)
            {
                Forget(path);
                queue = null;
            }
            if (queue is null)
            {
                _watched[path] = queue = new WatchedQueue(path, NameOf(root, path));
            }
            return queue.Figures();
        }
        catch (Exception exception) when (Guarded.CodeOf(exception) is not null || exception is InvalidOperationException)
        {
            // It may be another queue by now, or be deleted at this moment.
            Forget(path);
            return new QueueFigures { Path = path, Name = NameOf(root, path), Fault = exception };
        }
    }

    private void Forget(string path)
    {
        if (_watched.Remove(path, out WatchedQueue? queue))
        {
            queue.Dispose();
        }
    }

    public void Dispose()
    {
        foreach (WatchedQueue queue in _watched.Values)
        {
            queue.Dispose();
        }
        _watched.Clear();
    }
}
