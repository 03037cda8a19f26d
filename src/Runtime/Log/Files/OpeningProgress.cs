using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Words in the lock file that tell those who wait who is opening the queue and how far it is. The holder of the opening lock writes them:
/// <code>
/// offset  size
///     16     8  the process that holds the opening lock; 0 = none, or unknown
///     24     8  grows each time a process takes the lock, and while it makes progress
///     32     8  bytes of the log that it has read
///     40     8  bytes that it has to read in all; 0 = it does not read the log
/// </code>
/// </summary>
/// <remarks>
/// A hint for people and for patience. No decision relies on it: a disk that refuses the write prevents no process from opening the queue.
/// </remarks>
internal sealed class OpeningProgress(SafeFileHandle locks)
{
    // Bytes of log between two notes: a disk reads them in a time that is short beside any patience.
    private const long NotedAtOnce = 16 << 20;

    private long _done, _total, _noted;

    /// <summary>Notes that this process holds the lock.</summary>
    public void Begin() => Write(Environment.ProcessId, 0, 0);

    /// <summary>Notes how many bytes of the log it has to read.</summary>
    public void Begin(long total)
    {
        (_done, _total, _noted) = (0, total, 0);
        Write(Environment.ProcessId, 0, total);
    }

    /// <summary>Adds to the bytes that it has read, and notes the sum now and then.</summary>
    public void Advance(long bytes)
    {
        _done += bytes;
        if (_done - _noted >= NotedAtOnce)
        {
            _noted = _done;
            Write(Environment.ProcessId, Math.Min(_done, _total), _total);
        }
    }

    /// <summary>Notes progress in work that is not counted in bytes of the log.</summary>
    public void Tick() => Write(Environment.ProcessId, Math.Min(_done, _total), _total);

    /// <summary>Notes that no process holds the lock. Callers release it right after.</summary>
    public void End() => Write(0, 0, 0);

    /// <summary>Reads the words in a lock file; all are 0 in a file without them.</summary>
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
            // Those who wait know less then.
        }
    }
}
