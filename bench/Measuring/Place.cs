namespace BlitQueue.Bench.Measuring;

/// <summary>A fresh directory, in shared memory or on a disk, which is deleted in the end.</summary>
internal sealed class Place : IDisposable
{
    private const string SharedMemory = "/dev/shm";

    public Place(bool onDisk)
    {
        string root = onDisk || !Directory.Exists(SharedMemory) ? System.IO.Path.GetTempPath() : SharedMemory;
        Path = System.IO.Path.Combine(root, $"blitqueue-bench-{Guid.NewGuid():N}");
        Directory.CreateDirectory(Path);
    }

    public string Path { get; }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
