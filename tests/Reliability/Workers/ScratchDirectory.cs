namespace BlitQueue.Reliability.Workers;

/// <summary>
/// A directory of this process, in shared memory where there is such a thing. It is made when first asked for, and deleted when the process
/// ends.
/// </summary>
/// <param name="name">What a campaign calls it.</param>
internal sealed class ScratchDirectory(string name)
{
    private readonly Lazy<string> _path = new(() =>
    {
        string path = Make(name);
        AppDomain.CurrentDomain.ProcessExit += (_, _) => Directory.Delete(path, recursive: true);
        return path;
    });

    public string Path => _path.Value;

    /// <summary>Makes one that the caller deletes.</summary>
    public static string Make(string name)
    {
        string root = Directory.Exists("/dev/shm") ? "/dev/shm" : System.IO.Path.GetTempPath();
        return Directory.CreateDirectory(System.IO.Path.Combine(root, $"blitqueue-{name}-{Environment.ProcessId}")).FullName;
    }
}
