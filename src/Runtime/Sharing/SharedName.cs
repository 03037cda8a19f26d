using BlitQueue.Log;

namespace BlitQueue.Sharing;

/// <summary>Names and paths of shared objects.</summary>
internal static class SharedName
{
    /// <summary>The file of the object with this name.</summary>
    /// <exception cref="ArgumentException">It cannot be a name.</exception>
    /// <exception cref="QueueException">The directory is not this user's own.</exception>
    public static string PathOf(string name)
    {
        QueueName.CheckSubscription(name, "a shared object's");
        return name.StartsWith('.')
            ? throw new ArgumentException($"'{name}' cannot be a shared object's name: it begins with a dot.", nameof(name))
            : Path.Combine(ExpressDirectory.ForShared(), name);
    }

    /// <summary>The absolute path of a file.</summary>
    /// <exception cref="ArgumentException">There is no such path.</exception>
    /// <exception cref="QueueException">It is on a network file system.</exception>
    public static string FileAt(string path)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        string full = Path.GetFullPath(path);
        if (Path.GetDirectoryName(full) is null || Path.EndsInDirectorySeparator(full))
        {
            throw new ArgumentException($"'{path}' is a directory's path, where a file's is expected.", nameof(path));
        }
        StoreMedium.RefuseNetwork(full);
        return full;
    }

    /// <summary>All names of this user.</summary>
    public static IReadOnlyList<string> All()
    {
        string directory = ExpressDirectory.ForShared();
        try
        {
            return
            [
                .. Directory.EnumerateFiles(directory).Select(static path => Path.GetFileName(path))
                    .Where(static name => !name.StartsWith('.')).Order(StringComparer.Ordinal),
            ];
        }
        catch (Exception exception) when (SharedRefusal.Is(exception))
        {
            throw SharedRefusal.Of(directory, exception);
        }
    }
}
