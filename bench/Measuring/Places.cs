namespace BlitQueue.Bench.Measuring;

/// <summary>Directories for measurements: in shared memory and on a disk.</summary>
internal static class Places
{
    private const string SharedMemory = "/dev/shm";

    /// <summary>Whether this system has shared memory with a path.</summary>
    public static bool HasSharedMemory => Directory.Exists(SharedMemory);

    /// <summary>Runs a measurement in a fresh directory, which is deleted afterwards.</summary>
    public static Sample Within(bool onDisk, Func<string, Sample> measure)
    {
        string root = onDisk || !HasSharedMemory ? Path.GetTempPath() : SharedMemory;
        string place = Path.Combine(root, $"blitqueue-bench-{Guid.NewGuid():N}");
        Directory.CreateDirectory(place);
        try
        {
            return measure(place);
        }
        finally
        {
            Directory.Delete(place, recursive: true);
        }
    }
}
