namespace BlitQueue.Platform;

/// <content>What other processes do.</content>
internal sealed partial class LinuxPlatform
{
    private const char Running = 'R', WaitsForDisk = 'D';

    public bool Runs(int process)
    {
        try
        {
            return Directory.EnumerateDirectories($"/proc/{process}/task").Any(RunsThread);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A process of another name space, or of a user whose processes this one may not see.
            return false;
        }
    }

    private static bool RunsThread(string thread)
    {
        try
        {
            // The name before it, in parentheses, may hold any character.
            string status = File.ReadAllText(thread + "/stat");
            return status[status.LastIndexOf(')') + 2] is Running or WaitsForDisk;
        }
        catch (IOException)
        {
            // It has ended since the directory was read, so it ran.
            return true;
        }
    }
}
