using System.ComponentModel;
using System.Runtime.InteropServices;

namespace BlitQueue.Tests.Processes;

/// <summary>Renames that .NET has no call for.</summary>
internal static class Renaming
{
    private const int Here = -100, InExchange = 2;

    /// <summary>Exchanges two names in one step: no process finds either of them missing meanwhile.</summary>
    public static void Exchange(string one, string other)
    {
        if (Rename(Here, one, Here, other, InExchange) != 0)
        {
            throw new Win32Exception(Marshal.GetLastPInvokeError());
        }
    }

    [DllImport("libc", EntryPoint = "renameat2", SetLastError = true, BestFitMapping = false, ThrowOnUnmappableChar = true)]
    private static extern int Rename(int oneAt, string one, int otherAt, string other, uint flags);
}
