using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>The subscriptions of a queue at one moment, for a process that only reads: mapped for reading, until it is disposed.</summary>
internal sealed class OpenSubscriptions : IDisposable
{
    private readonly List<SubscriptionFile> _files = [];

    /// <exception cref="QueueCorruptException">One of the files is no subscription's.</exception>
    public OpenSubscriptions(QueueFiles files, QueueMeta meta)
    {
        try
        {
            foreach (string name in SubscriptionFile.Names(files).Order(StringComparer.Ordinal))
            {
                if (TryOpen(files, meta, name) is { } file)
                {
                    _files.Add(file);
                }
            }
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>By name.</summary>
    public IReadOnlyList<SubscriptionFile> All => _files;

    /// <summary>The first position that any of them still needs; the largest number if there is none.</summary>
    public long OldestNeeded => _files.Select(static file => file.OldestNeeded()).DefaultIfEmpty(long.MaxValue).Min();

    public SubscriptionFile? Find(string name) => _files.Find(file => file.Name == name);

    // null if it was deleted.
    private static SubscriptionFile? TryOpen(QueueFiles files, QueueMeta meta, string name)
    {
        try
        {
            var file = SubscriptionFile.Open(files, meta, name);
            if (!file.IsGone)
            {
                return file;
            }
            file.Dispose();
        }
        catch (FileNotFoundException)
        {
        }
        return null;
    }

    public void Dispose() => _files.ForEach(static file => file.Dispose());
}
