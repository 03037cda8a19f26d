namespace BlitQueue.Log;

/// <summary>
/// For a while after a large message its segments stay when every subscription has passed them, mapped as they are, for the next one: to
/// make a gigabyte of files and of pages anew takes longer than to copy it twice.
/// </summary>
/// <param name="segmentSize">Bytes.</param>
/// <param name="retention">Leaves the files.</param>
/// <param name="table">Leaves the mappings.</param>
/// <param name="delete">Starts to delete what has been passed.</param>
internal sealed class LargeMessageFiles(long segmentSize, Retention retention, SegmentCache table, Action delete) : IDisposable
{
    /// <summary>From so many bytes on a message is large.</summary>
    public const long Large = 64L << 20;

    // The disk has the room back after that, and the system the memory.
    private static readonly TimeSpan LongestKept = TimeSpan.FromSeconds(10);

    private readonly Lock _sync = new();
    private Timer? _end;
    private bool _disposed;

    /// <summary>A message is appended or consumed.</summary>
    /// <param name="extent">What it takes of the log, bytes.</param>
    public void Note(long extent)
    {
        if (extent < Large)
        {
            return;
        }
        lock (_sync)
        {
            if (_disposed)
            {
                return;
            }
            // The message's own, the segment that is written behind it, and a segment that both only begin in.
            retention.ReusedByLarge = Math.Max(retention.ReusedByLarge, extent + (2 * segmentSize));
            table.MostIdleOfLarge = (int)Math.Min(retention.ReusedByLarge / segmentSize, int.MaxValue);
            _end ??= new Timer(_ => End());
            _end.Change(LongestKept, Timeout.InfiniteTimeSpan);
        }
    }

    private void End()
    {
        lock (_sync)
        {
            if (!_disposed)
            {
                (retention.ReusedByLarge, table.MostIdleOfLarge) = (0, 0);
                delete();
            }
        }
    }

    /// <summary>Keeps nothing more; the caller deletes what has been passed.</summary>
    /// <returns>Whether something was kept.</returns>
    public bool Stop()
    {
        lock (_sync)
        {
            _disposed = true;
            bool isKept = retention.ReusedByLarge > 0;
            retention.ReusedByLarge = 0;
            _end?.Dispose();
            return isKept;
        }
    }

    public void Dispose() => Stop();
}
