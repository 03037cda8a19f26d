using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Moves the times of the queue's files, by which programs like rsync tell what has changed: the files keep their size, and the system
/// moves a file's time when one of its pages is written for the first time, not when it is written again.
/// </summary>
/// <remarks>
/// Such programs compare whole seconds. So a time that is given is behind the present second, in which the system may have set one, and
/// behind every time that was given before: the system may have set the file's time back since. That takes a second of the future for each
/// handle that is disposed in the same second.
/// </remarks>
internal sealed class ModifiedTimes(QueueFiles files, QueueMeta meta, ControlFile control)
{
    // A word that says more is damaged.
    private const long MostAhead = 100_000;

    // Segments that are looked for one by one.
    private const int Few = 16;

    /// <summary>Every file that may have changed gets a new time, unless they got one in this second.</summary>
    public void MoveOncePerSecond()
    {
        if (Latest(control) <= Now)
        {
            MoveLater()();
        }
    }

    /// <summary>
    /// The same for a handle that gives its mappings back: what is returned is to be called when they are gone, so
    /// that nothing is written behind the time.
    /// </summary>
    public Action MoveLater()
    {
        long last = MachineMemory.Load(ref control.Tail) / meta.SegmentSize;
        Leave(last);
        string[] names = [Name(last), .. Subscriptions(), StoreFormat.ControlName];
        long time = Next(control);
        return () => Give(files, names, time);
    }

    /// <summary>The segments in front of this one were left: nobody writes there any more, and no later time is theirs.</summary>
    public void Leave(long index)
    {
        long first = Math.Max(MachineMemory.Load(ref control.Timed), control.FirstRetained);
        if (first < index)
        {
            long[] left = Segments(first, index - 1);
            Give(files, left.Select(Name), Math.Max(Now, Latest(control)) + 1);
            ControlFile.Raise<MachineMemory>(ref control.Timed, left.Length == 0 ? 0 : left[^1] + 1);
        }
    }

    /// <summary>For a store's own file, as <see cref="MoveLater()"/>.</summary>
    public static Action MoveLater(QueueFiles files, string name, ControlFile control)
    {
        long time = Next(control);
        return () => Give(files, [name], time);
    }

    private static long Now => DateTimeOffset.UtcNow.ToUnixTimeSeconds();

    private static long Latest(ControlFile control)
        => MachineMemory.Load(ref control.Modified) is var given && given <= Now + MostAhead ? given : 0;

    private static long Next(ControlFile control)
    {
        for (; ; )
        {
            long word = MachineMemory.Load(ref control.Modified), next = Math.Max(Latest(control), Now) + 1;
            if (MachineMemory.CompareExchange(ref control.Modified, next, word) == word)
            {
                return next;
            }
        }
    }

    private IEnumerable<string> Subscriptions()
    {
        try
        {
            return SubscriptionFile.Names(files).Select(StoreFormat.SubscriptionName);
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            // The directory is gone.
            return [];
        }
    }

    // Those that are there, where there may be many: words that are damaged name any number.
    private long[] Segments(long first, long last)
    {
        try
        {
            return last - first < Few
                ? [.. Enumerable.Range(0, (int)(last - first + 1)).Select(next => first + next)]
                : [.. SegmentNames.In(files, meta).GetViewBetween(first, last)];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private string Name(long index) => StoreFormat.SegmentName(index * meta.SegmentSize);

    private static void Give(QueueFiles files, IEnumerable<string> names, long time)
    {
        foreach (string name in names)
        {
            CurrentPlatform.Instance.TrySetModified(files.PathOf(name), time);
        }
    }
}
