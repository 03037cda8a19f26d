using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>The process's one timer for calls. It runs while a handle has open calls or clients.</summary>
internal static class RpcWatch
{
    /// <summary>How often it looks, milliseconds.</summary>
    public const int Period = 20;

    private static readonly Lock Sync = new();
    private static readonly HashSet<IRpcWatched> Watched = [];
    private static readonly AtomicFlag Looking = new();
    private static readonly Timer Timer = new(static _ => Look());

    public static void Add(IRpcWatched handle)
    {
        lock (Sync)
        {
            if (Watched.Add(handle) && Watched.Count == 1)
            {
                Timer.Change(Period, Period);
            }
        }
    }

    public static void Remove(IRpcWatched handle)
    {
        lock (Sync)
        {
            if (Watched.Remove(handle) && Watched.Count == 0)
            {
                Timer.Change(Timeout.Infinite, Timeout.Infinite);
            }
        }
    }

    private static void Look()
    {
        // The pool may be late, and call a second time meanwhile.
        if (!Looking.TrySet())
        {
            return;
        }
        try
        {
            IRpcWatched[] all;
            lock (Sync)
            {
                all = [.. Watched];
            }
            foreach (IRpcWatched handle in all)
            {
                Look(handle);
            }
        }
        finally
        {
            Looking.Clear();
        }
    }

    // On the timer's thread an exception would end the process.
    private static void Look(IRpcWatched handle)
    {
        try
        {
            handle.LookAtPeers();
        }
        catch (Exception)
        {
            // The system has refused an answer or memory: it is asked again at the next look, as for the other handles now.
        }
    }
}
