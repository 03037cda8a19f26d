namespace BlitQueue.Peer;

internal sealed partial class Worker
{
    // Opens the queue again for every few messages, and closes it.
    private void Reopen()
    {
        var parcel = new Parcel();
        for (long number = 0; number < _count && !_inputEnded.IsCancellationRequested;)
        {
            using MappedQueue<Parcel> queue = arguments.Open();
            for (int i = 0; i < _batch; i++)
            {
                queue.Enqueue(parcel.Fill(_producer, number, SizeOf(number)));
                _log.Enqueued(_producer, number++);
            }
            Rest();
        }
    }

    // A queue by name, which others open and delete meanwhile; it has so many files that to delete them takes a while.
    private void OpenAndDelete()
    {
        const int subscriptions = 20;
        string name = arguments.Text("name");
        var parcel = new Parcel();
        for (long number = 0; !_inputEnded.IsCancellationRequested; number++)
        {
            using (var queue = MappedQueue<Parcel>.OpenExpress(name))
            {
                queue.Enqueue(parcel.Fill(_producer, number, _size));
                for (int i = 0; i < subscriptions; i++)
                {
                    queue.Subscribe($"passing-{i}").Dispose();
                }
            }
            // Who kills this process a moment after that word meets it while it deletes.
            Say("turn");
            try
            {
                MappedQueue<Parcel>.DeleteExpress(name);
            }
            catch (QueueException exception) when (exception.Message.Contains("is open", StringComparison.Ordinal))
            {
            }
        }
    }

    // Makes subscriptions, takes a little from each, and deletes them; what is theirs alone is judged for wholeness only.
    private void MakeSubscriptions()
    {
        var options = new SubscriptionOptions { Start = SubscriptionStart.Newest };
        Parcel? parcel = null;
        while (!_inputEnded.IsCancellationRequested)
        {
            string name = arguments.Text("subscription", "temporary");
            using (Subscription<Parcel> subscription = _queue.Subscribe(name, options))
            {
                Rest();
                for (int i = 0; i < _batch && subscription.TryReceive(out Lease<Parcel> lease); i++)
                {
                    Finish(lease, ref parcel, abandon: false);
                }
            }
            _queue.DeleteSubscription(name);
        }
    }

    // Reads with a cursor, which takes nothing, and begins anew when it is overtaken.
    private void Look()
    {
        Parcel? parcel = null;
        while (!_inputEnded.IsCancellationRequested)
        {
            try
            {
                using QueueCursor<Parcel> cursor = _queue.OpenCursor(QueuePosition.Oldest);
                for (int i = 0; i < 1000 && cursor.TryRead(ref parcel); i++)
                {
                    if (!parcel!.IsIntact())
                    {
                        throw new InvalidOperationException($"Parcel {parcel.Producer}/{parcel.Number} is torn.");
                    }
                }
            }
            catch (QueueException exception) when (exception.GetType() == typeof(QueueException))
            {
                // What it was to read next is no longer on disk.
            }
            Thread.Sleep(5);
        }
    }

    // A consumer that works for a while and rests as long, so that what waits grows and shrinks.
    private void Pause()
    {
        long wave = arguments.Number("wave", 0);
        while (wave > 0 && Environment.TickCount64 / wave % 2 == 1 && !_inputEnded.IsCancellationRequested)
        {
            Thread.Sleep(1);
        }
    }

    // So that a busy worker leaves the processors to others now and then.
    private void Rest()
    {
        if (_burst > 0 && ++_sinceRest >= _burst)
        {
            _sinceRest = 0;
            Thread.Sleep(1);
        }
    }
}
