using System.ComponentModel;
using System.Diagnostics;

namespace BlitQueue.Cli.Output;

/// <summary>Makes long-running commands give way to the processes that they watch.</summary>
internal static class Courtesy
{
    /// <summary>Lets this process have a processor when no other wants it.</summary>
    public static void GiveWay()
    {
        try
        {
            using var self = Process.GetCurrentProcess();
            self.PriorityClass = ProcessPriorityClass.Idle;
        }
        catch (Exception exception) when (exception is Win32Exception or PlatformNotSupportedException or InvalidOperationException)
        {
            // Not being able to give way is no error.
        }
    }
}
