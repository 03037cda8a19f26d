namespace BlitQueue.Platform;

/// <content>Sleeping on several words, and what other processes do.</content>
internal partial class LinuxPlatform
{
    // The same number on x64 and arm64; Linux 5.16 and newer.
    private const long FutexWaitAnyCall = 449;
    private const int MostFutexes = 128;
    private const uint Shared32Bit = 2;
    private const int MonotonicClock = 1;

    private const char Running = 'R', WaitsForDisk = 'D';

    // The structures that the kernel reads during a sleep. They are pinned for good, because a thread sleeps most of its life.
    [ThreadStatic]
    private static LibC.FutexWaiter[]? Waiters;

    private volatile bool _waitsOnMany = waitsOnMany;

    public int MostWords => MostFutexes;

    public void WaitAny(ReadOnlySpan<ExpectedWord> words, TimeSpan timeout)
    {
        if (!_waitsOnMany)
        {
            ManagedPlatform.Poll(words.Length, timeout);
            return;
        }
        LibC.FutexWaiter[] waiters = Waiters ??= GC.AllocateArray<LibC.FutexWaiter>(MostFutexes, pinned: true);
        for (int i = 0; i < words.Length; i++)
        {
            waiters[i] = new LibC.FutexWaiter { Value = (uint)words[i].Value, Address = (ulong)words[i].Address, Flags = Shared32Bit };
        }
        LibC.TimeSpec deadline = FromNow(timeout);
        if (LibC.FutexWaitAny(FutexWaitAnyCall, in waiters[0], words.Length, 0, in deadline, MonotonicClock) < 0)
        {
            UnderstandFailure(Marshal.GetLastPInvokeError());
        }
    }

    private void UnderstandFailure(int error)
    {
        switch (error)
        {
            // Woken before it slept, timed out, or a word was unmapped: the caller looks again.
            case LibC.EAGAIN or LibC.EINTR or LibC.ETIMEDOUT or LibC.EFAULT:
                return;
            // An older kernel, or a sandbox that does not know the call.
            case LibC.ENOSYS or LibC.EPERM:
                _waitsOnMany = false;
                return;
            // No memory at the moment: wait before the next call.
            default:
                Thread.Sleep(1);
                return;
        }
    }

    // Unlike the call for one word, the call for several takes the time at which the sleep ends.
    private static LibC.TimeSpec FromNow(TimeSpan timeout)
    {
        const long second = 1_000_000_000;
        LibC.GetTime(MonotonicClock, out LibC.TimeSpec now);
        LibC.TimeSpec after = Spec(timeout);
        long nanoseconds = now.Nanoseconds + after.Nanoseconds;
        return new LibC.TimeSpec { Seconds = now.Seconds + after.Seconds + (nanoseconds / second), Nanoseconds = nanoseconds % second };
    }

    private static LibC.TimeSpec Spec(TimeSpan time) => new()
    {
        Seconds = time.Ticks / TimeSpan.TicksPerSecond,
        Nanoseconds = time.Ticks % TimeSpan.TicksPerSecond * 100,
    };

    public bool MayRun(int process)
    {
        try
        {
            string[] threads = Directory.GetDirectories($"/proc/{process}/task");
            return threads.Length == 0 || threads.Any(RunsThread);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // A process of another name space, or of a user whose processes this one may not see.
            return true;
        }
    }

    private static bool RunsThread(string thread)
    {
        try
        {
            // The name in front of it, in parentheses, may contain any character.
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
