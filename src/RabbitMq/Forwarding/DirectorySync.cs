using System.Runtime.InteropServices;
using System.Text;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Brings a directory's entries to the disk: a power loss does not forget a file that was made there. Linux alone; elsewhere the flush of
/// the file is what the system offers.
/// </summary>
internal static class DirectorySync
{
    private const int ReadOnly = 0, Interrupted = 4;

    /// <summary>Brings the entry of an open file to the disk, whatever links have led to it.</summary>
    /// <exception cref="IOException">The system refuses it.</exception>
    public static void FlushEntryOf(FileStream file)
    {
        string? path = OperatingSystem.IsLinux()
            ? new FileInfo($"/proc/self/fd/{file.SafeFileHandle.DangerousGetHandle()}").LinkTarget
            : null;
        Flush(Path.GetDirectoryName(path ?? file.Name)!);
    }

    /// <summary>Brings all entries of a directory to the disk.</summary>
    /// <exception cref="IOException">The system refuses it.</exception>
    public static void Flush(string path)
    {
        if (!OperatingSystem.IsLinux())
        {
            return;
        }
        int directory = Repeat(() => Open(Encoding.UTF8.GetBytes(path + '\0'), ReadOnly), $"open({path})");
        try
        {
            Repeat(() => Sync(directory), $"fsync({path})");
        }
        finally
        {
            _ = Close(directory);
        }
    }

    // A call that a signal has interrupted is repeated.
    private static int Repeat(Func<int> call, string name)
    {
        for (; ; )
        {
            int result = call();
            if (result >= 0)
            {
                return result;
            }
            int error = Marshal.GetLastPInvokeError();
            if (error != Interrupted)
            {
                throw new IOException($"{name} failed: {Marshal.GetPInvokeErrorMessage(error)}. A power loss may forget the file.");
            }
        }
    }

    [DllImport("libc", EntryPoint = "open", SetLastError = true)]
    private static extern int Open(byte[] path, int flags);

    [DllImport("libc", EntryPoint = "fsync", SetLastError = true)]
    private static extern int Sync(int descriptor);

    [DllImport("libc", EntryPoint = "close", SetLastError = true)]
    private static extern int Close(int descriptor);
}
