namespace BlitQueue.Peer.Mixed;

internal sealed partial class MixedWorker<T>
{
    // From then on nothing is sought or purged, so that what is enqueued later must come.
    private readonly long _calm = arguments.Number("calm", long.MaxValue);

    // Consumes, and goes back and forth: to the oldest message, to one that it had, behind the newest.
    private void Seek()
    {
        Subscription<T> subscription = Subscribe();
        QueuePosition position = QueuePosition.Oldest;
        while (!IsOver)
        {
            LeaseSome(subscription, "seeking");
            position = _held.Count > 0 && _random.Next(50) == 0 ? _held[0].Lease.Position : position;
            if (_random.Next(400) == 0 && !IsAfter(_calm))
            {
                SeekOnce(subscription, position);
            }
        }
        GiveBackAll("seeking");
    }

    private void SeekOnce(Subscription<T> subscription, QueuePosition position)
    {
        (QueuePosition to, string direction) = _random.Next(4) switch
        {
            0 => (QueuePosition.Newest, "forth"),
            1 => (QueuePosition.Oldest, "back"),
            _ => (position, "any"),
        };
        if (Try("seek", _name, () => subscription.Seek(to)))
        {
            _log.Happened('S', $"{_name} {direction}");
        }
    }

    // Makes a subscription, consumes a little from it, and deletes it, again and again.
    private void Remake()
    {
        while (!IsOver)
        {
            VisitOnce(10 + _random.Next(200));
            bool deleted = false;
            if (Try("delete", _name, () => deleted = _queue.DeleteSubscription(_name)) && deleted)
            {
                _log.Happened('G', _name);
            }
            RestSometimes(1);
        }
    }

    // Consumes from a subscription that others delete.
    private void Visit()
    {
        while (!IsOver)
        {
            VisitOnce(10 + _random.Next(1000));
        }
    }

    private void VisitOnce(int calls)
    {
        Subscription<T>? made = null;
        SubscriptionOptions options = Options with { Start = _random.Next(2) == 0 ? SubscriptionStart.Newest : SubscriptionStart.Oldest };
        if (!Try("subscribe", _name, () => made = _queue.Subscribe(_name, options)))
        {
            return;
        }
        _log.Happened('M', _name);
        using Subscription<T> subscription = made!;
        _isGone = false;
        for (int i = 0; i < calls && !IsOver && !_isGone; i++)
        {
            if (_random.Next(2) == 0)
            {
                LeaseSome(subscription, "visit");
            }
            else
            {
                ConsumeSome(subscription, "visit");
            }
        }
        GiveBackAll("visit");
    }

    private void Purge()
    {
        while (!IsOver)
        {
            Thread.Sleep(50 + _random.Next(500));
            if (!IsAfter(_calm) && Try("purge", "-", _queue.Purge))
            {
                _log.Happened('P', "-");
            }
        }
    }
}
