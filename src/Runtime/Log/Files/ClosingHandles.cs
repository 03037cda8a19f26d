namespace BlitQueue.Log;

/// <summary>
/// This process's handles that were disposed while a call was still inside: of a thread of the library, which leaves as soon as it gets a
/// processor, or of the program.
/// </summary>
internal static class ClosingHandles
{
    private static readonly Lock Sync = new();
    private static readonly Dictionary<object, string> Directories = [];

    public static void Add(object handle, string directory)
    {
        lock (Sync)
        {
            Directories[handle] = directory;
        }
    }

    public static void Remove(object handle)
    {
        lock (Sync)
        {
            Directories.Remove(handle);
        }
    }

    /// <summary>Whether one of them is to what is in a directory.</summary>
    public static bool AreOf(string directory)
    {
        lock (Sync)
        {
            return Directories.ContainsValue(directory);
        }
    }
}
