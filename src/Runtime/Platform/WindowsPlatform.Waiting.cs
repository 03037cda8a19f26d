using ThreadState = System.Diagnostics.ThreadState;

namespace BlitQueue.Platform;

/// <content>
/// Sleeping on words, by events that have names (<see cref="WordEvents"/>), because WaitOnAddress does not reach across processes.
/// </content>
internal sealed partial class WindowsPlatform
{
    private readonly WindowsViews _views = new();

    public override int MostWords => Kernel32.MostHandles;

    public override void Wait(nint address, int expected, TimeSpan timeout) =>
        WaitAny([new ExpectedWord(address, expected, IsOwn: _views.Find(address) is null)], timeout);

    public override void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout)
    {
        if (words.Length > MostWords || !WordSleep.Mine.TrySleep(words, _views, timeout))
        {
            Poll(words.Length, timeout);
        }
    }

    public override void WakeAll(nint address, int left)
    {
        if (_views.Find(address) is { } view)
        {
            view.Wake(address, left);
        }
        else
        {
            WordSleep.WakeOwn(address, left);
        }
    }

    public override bool MayRun(int process)
    {
        try
        {
            using var found = Process.GetProcessById(process);
            // Wine 8 says of every thread that it has not begun, and so tells nothing.
            ProcessThread[] begun =
                [.. found.Threads.Cast<ProcessThread>().Where(static thread => thread.ThreadState != ThreadState.Initialized)];
            return begun.Length == 0 || begun.Any(RunsThread);
        }
        catch (Exception exception) when (exception is ArgumentException or InvalidOperationException or Win32Exception)
        {
            // It has ended, or is another user's.
            return true;
        }
    }

    // The state with the largest number is "deferred ready", which .NET has no name for. A suspended thread waits.
    private static bool RunsThread(ProcessThread thread) =>
        thread.ThreadState is ThreadState.Running or ThreadState.Ready or ThreadState.Standby or ThreadState.Transition
            or ThreadState.Unknown
        || (thread.ThreadState is ThreadState.Wait && thread.WaitReason is ThreadWaitReason.PageIn or ThreadWaitReason.PageOut);
}
