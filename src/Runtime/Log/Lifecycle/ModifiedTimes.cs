using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Log;

/// <summary>
/// Sets the modification times of the queue's files, by which programs like rsync see what has changed. The files do not change their size,
/// and the system sets a file's time when somebody first writes to one of its mapped pages, not at later writes.
/// </summary>
/// <remarks>
/// Such programs compare whole seconds. So a new time is after the present second, in which the system may have set one, and after every
/// time that was set here before, because the system may have set the file's time back since. So each handle that is disposed in the same
/// second takes one more second of the future.
/// </remarks>
internal sealed class ModifiedTimes(QueueFiles files, QueueMeta meta, ControlFile control)
{
    // A word that is further ahead is damaged.
    private const long MostAhead = 100_000;

    // How many segments this looks for one by one; of more it lists the directory.
    private const int Few = 16;

    /// <summary>Gives every file that may have changed a new time, unless they got one in this second.</summary>
    public void MoveOncePerSecond()
    {
        if (Latest(control) <= Now)
        {
            MoveLater()();
        }
    }

    /// <summary>
    /// The same for a handle that unmaps its files: the caller calls what is returned when they are unmapped, so that no thread writes
    /// through them after the time was set.
    /// </summary>
    public Action MoveLater()
    {
        long last = MachineMemory.Load(ref control.Tail) / meta.SegmentSize;
        Leave(last);
        string[] names = [Name(last), .. Subscriptions(), StoreFormat.ControlName];
        long time = Next(control);
        return () => Give(files, names, time);
    }

    /// <summary>
    /// Notes that appenders have left the segments before this one: no process writes to them any more, so that they need no later time.
    /// </summary>
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

    /// <summary>As <see cref="MoveLater()"/>, for a store's own file.</summary>
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

    // Those that exist, where there may be many: damaged words can name any number.
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
