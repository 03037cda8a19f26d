using BlitQueue.Cli.Output;
using BlitQueue.Log;

namespace BlitQueue.Cli.Queues;

/// <summary>The messages of a queue from a position on, or what a subscription has not committed. It consumes nothing.</summary>
internal sealed class MessageSource : IDisposable
{
    private const int LongestPause = 100, MostAttempts = 100;

    private readonly Queue<long> _earlier = [];
    private readonly StoredMessage _message = new();
    private readonly string? _subscription;
    private readonly Action<QueueCorruptException>? _skips;
    private readonly DateTime? _since;
    private long _next;

    // Whether a message of that time has come.
    private bool _isReached;

    /// <param name="look">The queue, which is closed with this.</param>
    /// <param name="from">Where to begin; null for the oldest, or what the subscription has not committed.</param>
    /// <param name="subscription">The one whose messages are asked for; null for all.</param>
    /// <param name="skips">Called for each damaged part, behind which reading goes on; null to end there with an exception.</param>
    /// <param name="origin">The queue whose dead letters these are; null if they are no letters.</param>
    public MessageSource(
        QueueLook look, string? from, string? subscription, Action<QueueCorruptException>? skips, QueueLook? origin = null)
    {
        (Look, _subscription, _skips) = (look, subscription, skips);
        if (subscription is not null && from is null)
        {
            BeginAt(subscription, origin);
        }
        else if (from is null || Where.TryPosition(from, out QueuePosition position))
        {
            look.Seek(from is null ? QueuePosition.Oldest : PositionOf(from));
        }
        else
        {
            _since = Where.TryTime(from, out DateTime time)
                ? time
                : throw new UsageException($"'{from}' is neither oldest, newest, a position nor a time.");
            look.Seek(QueuePosition.Oldest);
        }
    }

    public QueueLook Look { get; }

    /// <summary>The message that was read.</summary>
    public StoredMessage Message => _message;

    /// <summary>How many damaged parts were skipped.</summary>
    public int Skipped { get; private set; }

    private static QueuePosition PositionOf(string from) => Where.TryPosition(from, out QueuePosition position) ? position : default;

    private void BeginAt(string subscription, QueueLook? origin)
    {
        IReadOnlyList<long> earlier = Look.Uncommitted(subscription, out long next, origin) ?? throw new QueueException(
            $"{Look.Path} has no subscription '{subscription}'.")
        { Reason = QueueError.SubscriptionGone, Path = Look.Path };
        foreach (long position in earlier)
        {
            _earlier.Enqueue(position);
        }
        if (_earlier.Count == 0)
        {
            Look.SeekNextOf(next);
        }
        _next = next;
    }

    /// <summary>Reads the next message, if there is one.</summary>
    /// <exception cref="QueueCorruptException">It is damaged.</exception>
    public bool TryRead()
    {
        for (; ; )
        {
            if (_earlier.Count > 0 ? !TryReadEarlier() : !TryReadNext())
            {
                return false;
            }
            if (IsAskedFor())
            {
                return true;
            }
        }
    }

    /// <summary>
    /// Goes to the last messages, so that they are read next. It goes back segment by segment, until enough messages follow.
    /// </summary>
    /// <returns>false if there are none; then it is at the end.</returns>
    public bool TrySeekLast(long count)
    {
        for (int attempt = 0; ; attempt++)
        {
            try
            {
                return TrySeekLastOnce(count);
            }
            catch (QueueException gone) when (gone.Reason == QueueError.PositionGone && attempt < MostAttempts)
            {
                // Consumers have passed what was looked at, and there are later messages.
            }
        }
    }

    private bool TrySeekLastOnce(long count)
    {
        if (count == 0)
        {
            Look.Seek(QueuePosition.Newest);
            return false;
        }
        var last = new Queue<long>();
        long segments = Look.CountSegments();
        for (long back = 0; last.Count < count; back = (2 * back) + 1)
        {
            bool isPart = back < segments && Look.TrySeekSegment(back);
            if (!isPart && back < segments)
            {
                continue;
            }
            if (!isPart)
            {
                Look.Seek(QueuePosition.Oldest);
            }
            Collect(last, count);
            if (!isPart)
            {
                break;
            }
        }
        if (last.Count == 0)
        {
            return false;
        }
        Look.SeekNextOf(last.Peek());
        return true;
    }

    private void Collect(Queue<long> last, long count)
    {
        last.Clear();
        while (TryRead())
        {
            last.Enqueue(_message.Position);
            if (last.Count > count)
            {
                last.Dequeue();
            }
        }
    }

    /// <summary>Reads the next message, waiting for it.</summary>
    public bool Follow(CancellationToken cancelled)
    {
        int pause = 1;
        while (!cancelled.IsCancellationRequested)
        {
            if (TryReadOrCatchUp())
            {
                return true;
            }
            Terminal.Flush();
            cancelled.WaitHandle.WaitOne(pause);
            pause = Math.Min(2 * pause, LongestPause);
        }
        return false;
    }

    // A reader that is slower than the consumers finds that messages were deleted: it goes on with those that are there.
    private bool TryReadOrCatchUp()
    {
        long? before = null;
        for (; ; )
        {
            try
            {
                if (before is { } lost)
                {
                    Look.Seek(QueuePosition.Oldest);
                    Terminal.Complain($"from position {lost} to {Look.Position} messages were consumed and deleted before they were read.");
                    before = null;
                }
                return TryRead();
            }
            catch (QueueException gone) when (gone.Reason == QueueError.PositionGone)
            {
                // What was the oldest may be gone, too, before it is read.
                before ??= Look.Position;
            }
        }
    }

    // What was committed meanwhile may be gone.
    private bool TryReadEarlier()
    {
        while (_earlier.TryDequeue(out long position))
        {
            try
            {
                Look.SeekNextOf(position);
                if (Look.TryRead(_message) && _message.Position == position)
                {
                    return true;
                }
            }
            catch (QueueException exception) when (exception.Reason == QueueError.PositionGone)
            {
            }
            catch (QueueCorruptException damage) when (_skips is not null)
            {
                _skips(damage);
                Skipped++;
            }
            finally
            {
                SeekNextAtEnd();
            }
        }
        return TryReadNext();
    }

    private void SeekNextAtEnd()
    {
        if (_earlier.Count == 0)
        {
            Look.SeekNextOf(_next);
        }
    }

    private bool TryReadNext()
    {
        for (; ; )
        {
            try
            {
                return Look.TryRead(_message);
            }
            catch (QueueCorruptException damage) when (_skips is not null && damage.HoleEnd is { } end)
            {
                _skips(damage);
                Skipped++;
                Look.Seek(end);
            }
        }
    }

    private bool IsAskedFor()
    {
        if (_message.Properties.IsEmpty || !PropertyBlock.TryRead(_message.Properties, out PropertyBlock block))
        {
            return _since is null || _isReached;
        }
        if (_since is { } since && !_isReached && block.TryGetTicks(PropertyKinds.EnqueuedAt, out long ticks) && ticks < since.Ticks)
        {
            return false;
        }
        _isReached = true;
        return _subscription is null || !block.TryGetBytes(PropertyKinds.OnlyFor, out ReadOnlySpan<byte> only)
            || System.Text.Encoding.UTF8.GetString(only) == _subscription;
    }

    public void Dispose() => Look.Dispose();
}
