using BlitQueue.Log;
using BlitQueue.Platform;

namespace BlitQueue.Reliability.Corruption;

/// <summary>The files of a directory, in memory: written anew for each trial, as if they had been used there and were no copies.</summary>
internal sealed class StoreFiles
{
    private readonly SortedDictionary<string, byte[]> _files = new(StringComparer.Ordinal);

    /// <summary>Relative paths, in order.</summary>
    public IReadOnlyList<string> Names => [.. _files.Keys];

    public byte[] this[string name] => _files[name];

    public bool Has(string name) => _files.ContainsKey(name);

    public static StoreFiles Read(string directory)
    {
        var files = new StoreFiles();
        foreach (string path in Directory.EnumerateFiles(directory, "*", SearchOption.AllDirectories))
        {
            files._files.Add(Path.GetRelativePath(directory, path), File.ReadAllBytes(path));
        }
        return files;
    }

    /// <summary>Writes them into a directory that does not exist yet.</summary>
    public void Write(string directory)
    {
        foreach ((string name, byte[] bytes) in _files)
        {
            string path = Path.Combine(directory, name);
            Directory.CreateDirectory(Path.GetDirectoryName(path)!);
            File.WriteAllBytes(path, bytes);
        }
        foreach (string name in _files.Keys)
        {
            PretendOriginal(Path.Combine(directory, name));
        }
    }

    /// <summary>As if a file had been made where it stands.</summary>
    public static void PretendOriginal(string path)
    {
        if (Path.GetFileName(path) is StoreFormat.ControlName or TransactionFormat.FileName)
        {
            using FileStream file = File.OpenWrite(path);
            file.Position = ControlFormat.IdentityOffset;
            file.Write(CurrentPlatform.Instance.IdentityOf(path));
            string locks = Path.Combine(Path.GetDirectoryName(path)!, StoreFormat.LockName);
            if (File.Exists(locks))
            {
                file.Position = ControlFormat.LockIdentityOffset;
                file.Write(CurrentPlatform.Instance.IdentityOf(locks));
            }
        }
    }
}
