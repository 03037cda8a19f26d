namespace BlitQueue.Peer.Mixed;

internal sealed partial class MixedWorker<T>
{
    private readonly Dictionary<int, (long First, int Count)> _views = [];

    // Reads with cursors, which begin anew when they are overtaken.
    private void Look()
    {
        while (!IsOver)
        {
            Try("look", "-", LookOnce);
            EndViews();
            RestSometimes(1);
        }
    }

    private void LookOnce()
    {
        using QueueCursor<T> cursor = _queue.OpenCursor(_random.Next(4) == 0 ? QueuePosition.Newest : QueuePosition.Oldest);
        T? seen = null;
        for (int idle = 0; idle < 20 && !IsOver;)
        {
            if (!cursor.TryRead(ref seen))
            {
                idle++;
                Thread.Sleep(1);
                continue;
            }
            Prick.Disarm();
            View(seen!);
        }
    }

    // One line for each run of a producer's messages without a gap.
    private void View(T seen)
    {
        if (!ParcelBytes.IsIntact(seen))
        {
            _log.Dequeued(seen);
        }
        if (_views.TryGetValue(seen.Producer, out (long First, int Count) view) && view.First + view.Count == seen.Number)
        {
            _views[seen.Producer] = (view.First, view.Count + 1);
            return;
        }
        if (view.Count > 0)
        {
            _log.Viewed(seen.Producer, view.First, view.Count);
        }
        _views[seen.Producer] = (seen.Number, 1);
    }

    // An empty view says that the cursor's pass is over.
    private void EndViews()
    {
        foreach ((int producer, (long first, int count)) in _views)
        {
            _log.Viewed(producer, first, count);
        }
        _log.Viewed(0, 0, 0);
        _views.Clear();
    }

    private void Ask()
    {
        while (!IsOver)
        {
            QueueStatus? status = null;
            if (Try("ask", "-", () => status = _queue.GetStatus()) && Nonsense(status!) is { } nonsense)
            {
                _log.Happened('X', $"ask - Nonsense {nonsense}");
            }
            RestSometimes(1);
        }
    }

    private static string? Nonsense(QueueStatus status) =>
        status.MessageCount < 0 || status.Bytes < 0 || status.First > status.Next
            ? $"{status.MessageCount} messages in {status.Bytes} bytes from {status.First} to {status.Next}"
        : status.Subscriptions.FirstOrDefault(static one => one.Lag < 0 || one.InFlight < 0 || one.DeadLetters < 0
            || one.Dropped < 0) is { } one
            ? $"{one.Name} has a lag of {one.Lag}, {one.InFlight} in flight, {one.DeadLetters} letters, {one.Dropped} dropped"
        : null;
}
