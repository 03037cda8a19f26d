using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Words in the lock file that say who is opening the queue and how it gets on, for those who wait. The one
/// who has the opening lock writes them:
/// <code>
/// offset  size
///     16     8  the process that has the opening lock; 0 = none, or unknown
///     24     8  counts up with each that takes the lock, and while it gets on
///     32     8  bytes of the log that it has gone through
///     40     8  of so many; 0 = it does not go through the log
/// </code>
/// </summary>
/// <remarks>
/// A hint for people and for patience. Nothing relies on it, so that a disk which refuses it keeps nobody from the queue.
/// </remarks>
internal sealed class OpeningProgress(SafeFileHandle locks)
{
    // Bytes of log between two notes: the time that a disk takes for it is short beside any patience.
    private const long NotedAtOnce = 16 << 20;

    private long _done, _total, _noted;

    /// <summary>Notes that this process has the lock.</summary>
    public void Begin() => Write(Environment.ProcessId, 0, 0);

    /// <summary>Notes that it goes through so many bytes of log.</summary>
    public void Begin(long total)
    {
        (_done, _total, _noted) = (0, total, 0);
        Write(Environment.ProcessId, 0, total);
    }

    /// <summary>Notes now and then that it has gone through some more of them.</summary>
    public void Advance(long bytes)
    {
        _done += bytes;
        if (_done - _noted >= NotedAtOnce)
        {
            _noted = _done;
            Write(Environment.ProcessId, Math.Min(_done, _total), _total);
        }
    }

    /// <summary>Notes that it gets on with what is not counted in bytes of log.</summary>
    public void Tick() => Write(Environment.ProcessId, Math.Min(_done, _total), _total);

    /// <summary>Notes that nobody has the lock: called just before it is given back.</summary>
    public void End() => Write(0, 0, 0);

    /// <summary>What the words in a lock file are now; all 0 in a file without them.</summary>
    public static OpeningLook Look(SafeFileHandle locks)
    {
        Span<byte> words = stackalloc byte[OpeningLook.Size];
        words.Clear();
        RandomAccess.Read(locks, words, StoreFormat.OpeningWords);
        return OpeningLook.Of(words);
    }

    private void Write(int process, long done, long total)
    {
        Span<byte> words = stackalloc byte[OpeningLook.Size];
        try
        {
            new OpeningLook(process, Look(locks).Steps + 1, done, total).Write(words);
            QueueFiles.Write(locks, words, StoreFormat.OpeningWords);
        }
        catch (IOException)
        {
            // Those who wait know less.
        }
    }
}
