namespace BlitQueue.RabbitMq;

/// <summary>
/// Decides for what arrives on one channel whether it is the next message of its source, one that was received before, or one that came
/// early. After a nack or a return at the forwarder, later messages arrive before it publishes the refused one again; those wait here,
/// not acknowledged.
/// </summary>
internal sealed class ArrivalOrder(MarkStore marks, GapWaits waits, TimeProvider clock)
{
    private readonly Dictionary<string, ArrivingSource> _sources = [];

    /// <summary>How many messages wait for earlier ones.</summary>
    public int Early { get; private set; }

    /// <summary>Since when the message waits that has waited longest, as <see cref="TimeProvider.GetTimestamp"/>.</summary>
    public long? EarlySince => _sources.Values.Where(static one => one.Early.Count > 0).Select(static one => (long?)one.Since).Min();

    /// <summary>The channel is over: notes for how long messages have waited on it.</summary>
    public void NoteWaits()
    {
        foreach ((string id, ArrivingSource source) in _sources)
        {
            if (source.Early.Count > 0)
            {
                waits.Note(id, source.Mark, clock.GetElapsedTime(source.Since));
            }
            else
            {
                waits.Forget(id);
            }
        }
    }

    /// <summary>Takes a message that arrived.</summary>
    /// <param name="arrived">The message, of a source.</param>
    /// <param name="next">Receives it, and those that it was missing for, in order.</param>
    /// <param name="before">Receives what was received before: to be acknowledged, and nothing else.</param>
    public void Take(Delivery arrived, List<Delivery> next, List<Delivery> before)
    {
        ArrivingSource source = SourceOf(arrived.SourceId!);
        if (arrived.Position <= source.Mark)
        {
            before.Add(arrived);
        }
        else if (arrived.Previous <= source.Mark)
        {
            Accept(source, arrived, next);
            TakeEarly(source, next, before);
        }
        else
        {
            Store(source, arrived, before);
        }
    }

    /// <summary>The messages that are missing in front of those that wait longest, in words and numbers.</summary>
    public MessageGapException DescribeGap(string queue)
    {
        (string id, ArrivingSource source) = Oldest;
        Delivery first = source.Early.Values[0];
        return new MessageGapException(
            $"Queue '{queue}': source {id} has sent messages behind position {source.Mark} up to position {first.Previous}, which did not "
            + $"come; the one at {first.Position} did, and {source.Early.Count - 1} more. Look for them in the source's queue "
            + "(MappedQueue.OpenCursor; what was consumed is retained only as QueueOptions.RetainFor says) and at the broker. "
            + "ReceiverOptions.OnGap = GapMode.Accept goes on without them.")
        {
            SourceId = id,
            Received = source.Mark,
            Missing = first.Previous,
        };
    }

    /// <summary>Goes on behind the gap of the source that has waited longest.</summary>
    public void AcceptGap(List<Delivery> next, List<Delivery> before)
    {
        ArrivingSource source = Oldest.Value;
        source.Mark = source.Early.Values[0].Previous;
        TakeEarly(source, next, before);
    }

    private KeyValuePair<string, ArrivingSource> Oldest =>
        _sources.Where(static one => one.Value.Early.Count > 0).MinBy(static one => one.Value.Since);

    private ArrivingSource SourceOf(string id)
    {
        if (!_sources.TryGetValue(id, out ArrivingSource? source))
        {
            _sources[id] = source = new ArrivingSource { Mark = marks.Of(id) };
        }
        return source;
    }

    private void Accept(ArrivingSource source, Delivery delivery, List<Delivery> next)
    {
        next.Add(delivery);
        source.Mark = delivery.Position;
        source.Since = clock.GetTimestamp();
    }

    private void TakeEarly(ArrivingSource source, List<Delivery> next, List<Delivery> before)
    {
        while (source.Early.Count > 0 && source.Early.Values[0] is var first && first.Previous <= source.Mark)
        {
            source.Early.RemoveAt(0);
            Early--;
            if (first.Position <= source.Mark)
            {
                before.Add(first);
            }
            else
            {
                Accept(source, first, next);
            }
        }
    }

    // Of two publishes of a message the one with the earlier predecessor waits for less.
    private void Store(ArrivingSource source, Delivery arrived, List<Delivery> before)
    {
        if (source.Early.Count == 0)
        {
            double waited = waits.Of(arrived.SourceId!, source.Mark).TotalSeconds;
            source.Since = clock.GetTimestamp() - (long)(waited * clock.TimestampFrequency);
        }
        if (source.Early.TryGetValue(arrived.Position, out Delivery? stored))
        {
            before.Add(arrived.Previous < stored.Previous ? stored : arrived);
            source.Early[arrived.Position] = arrived.Previous < stored.Previous ? arrived : stored;
            return;
        }
        source.Early.Add(arrived.Position, arrived);
        Early++;
    }

    private sealed class ArrivingSource
    {
        public long Mark { get; set; }

        public SortedList<long, Delivery> Early { get; } = [];

        // When the last message was taken in order, or the first one came early; earlier by what was waited on connections before.
        public long Since { get; set; }
    }
}
