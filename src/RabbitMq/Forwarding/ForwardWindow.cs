namespace BlitQueue.RabbitMq;

/// <summary>
/// The leased messages in the order of the queue: those that were published on the current channel, then those that were not yet.
/// </summary>
internal sealed class ForwardWindow<T>(
    Subscription<T> subscription, SourceFile source, ForwardEpochs epochs, ForwardLetters<T> letters, int size, long destination)
    where T : IPackable<T>
{
    private const string Unsent = "It was to become a dead letter when the forwarder before this one ended, and later messages were sent.";

    private const int FillAtOnce = 64;

    // A source that replies to ever new queues costs no memory without bound: a forgotten key counts as a new one.
    private const int MostKeys = 4096;

    private readonly List<ForwardEntry<T>> _entries = [];
    private readonly Lease<T>[] _leases = new Lease<T>[Math.Max(FillAtOnce, size)];

    // Those that the forwarder before this one has left to become dead letters, as far as they have not come yet. Until then each note has
    // them: one that no note has would be sent behind later ones, and the receiver would drop it.
    private readonly List<ForwardPoint> _unsent = [.. source.Noted.Unsent];

    // What was taken from the queue and is not sorted in yet. A lease is never forgotten, whatever throws: after a later note its message
    // would count as confirmed.
    private readonly Queue<Lease<T>> _taken = [];
    private int _published;

    // Of messages with a routing key of their own, the last one with each key that the broker has confirmed in this run.
    private readonly Dictionary<string, long> _confirmedOf = [];

    // The number that the channel gave to the first entry's publish; the others follow one by one.
    private ulong _firstNumber;

    // Messages come in order. What is from before it a dead forwarder had leased, or somebody has moved the subscription back to.
    private long _lastTaken = epochs.LastOf(source.Noted);

    // The note's epoch, while nothing of a later one was confirmed.
    private long _epoch = source.Noted.Last.Epoch;

    public int Published => _published;

    /// <summary>How many of them, from the oldest on, the broker has confirmed.</summary>
    public int Confirmed { get; private set; }

    /// <summary>The position of the last message that was taken from the queue.</summary>
    public long LastTaken => _lastTaken;

    /// <summary>The last message that the broker has confirmed; -1: none of the epoch that is being sent, or to this destination.</summary>
    public long LastConfirmed { get; private set; } =
        source.Noted.Destination == 0 || source.Noted.Destination == destination ? epochs.LastOf(source.Noted) : -1;

    // One that waits to become a dead letter has one of the leases, and is none of the window's. Each that is taken may become one, and a
    // note has room for so many.
    private int Space =>
        Math.Min(Math.Min(size, ForwarderOptions.LargestWindow - letters.Count), SourceFile.MostUnsent - letters.Count - _unsent.Count)
        - _entries.Count;

    public bool HasSpace => Space > 0;

    /// <summary>Whether nothing is on its way or waits, to be published or to become a dead letter.</summary>
    public bool IsEmpty => _entries.Count + letters.Count == 0;

    public ForwardLetters<T> Letters => letters;

    /// <summary>
    /// What is wrong with a message that waits to become a dead letter, and cannot be read any more. Only when nothing is in front of it:
    /// others can step over the oldest message alone.
    /// </summary>
    public QueueCorruptException? Damage =>
        letters.Oldest is { } oldest && !HasBefore(oldest.Position) ? oldest.Damage : null;

    /// <summary>
    /// The next message to publish; null while there is none, or while one of an earlier epoch is not confirmed: each epoch is a source of
    /// its own, whose order only the broker keeps.
    /// </summary>
    public ForwardEntry<T>? NextToPublish =>
        _published < _entries.Count && (_published == 0 || _entries[_published].Epoch == _entries[0].Epoch) ? _entries[_published] : null;

    public ForwardEntry<T> First => _entries[0];

    /// <summary>Whether a message of a lower position is on its way, or is to be published.</summary>
    public bool HasBefore(long position) => _entries.Count > 0 && _entries[0].Position < position;

    /// <summary>
    /// Whether one that was published has a routing key like those that the broker makes for direct replies: one that only looks like them
    /// makes the broker's channel fail.
    /// </summary>
    public bool HasFastReply => _entries.Take(_published)
        .Any(static one => one.Key?.StartsWith("amq.rabbitmq.reply-to", StringComparison.Ordinal) == true);

    /// <summary>The position of the message before the next one to publish, confirmed or not; -1 if there is none.</summary>
    /// <param name="key">
    /// Its own routing key, where messages have one: then the one before is that with the same key, as far as this run knows.
    /// </param>
    public long PredecessorOf(string? key)
    {
        for (int i = _published - 1; i >= 0; i--)
        {
            if (_entries[i].Key == key)
            {
                return _entries[i].Position;
            }
        }
        return _entries[_published].Epoch != _epoch ? -1 : key is null ? LastConfirmed : _confirmedOf.GetValueOrDefault(key, -1);
    }

    /// <summary>A new channel: everything that is not confirmed is published again, from the oldest on.</summary>
    /// <returns>How many of them had been published.</returns>
    public int Rewind()
    {
        int again = _published;
        (_published, _firstNumber, Confirmed) = (0, 1, 0);
        foreach (ForwardEntry<T> entry in _entries)
        {
            entry.Reset();
        }
        return again;
    }

    /// <summary>Takes messages that wait, as many as fit, up to a few.</summary>
    /// <returns>How many were taken from the queue.</returns>
    public int Fill()
    {
        int taken = subscription.TryReceive(_leases.AsSpan(0, Math.Min(FillAtOnce, Space)));
        for (int i = 0; i < taken; i++)
        {
            _taken.Enqueue(_leases[i]);
        }
        SortIn();
        return taken;
    }

    /// <summary>Adds a message that was taken.</summary>
    public void Add(Lease<T> lease)
    {
        _taken.Enqueue(lease);
        SortIn();
    }

    /// <summary>Sorts in what was taken, as far as it was not.</summary>
    public void SortIn()
    {
        while (_taken.TryPeek(out Lease<T> lease))
        {
            SortInNext(lease);
        }
    }

    private void SortInNext(Lease<T> lease)
    {
        ForwardPoint point = epochs.Of(lease.Position.Value);
        if (TryMeetUnsent(point))
        {
            // The letters know it from the beginning of the call on, whatever that throws.
            _taken.Dequeue();
            letters.Add(lease, point, BridgeProblem.OutOfOrder, Unsent);
        }
        else if (point.Position > _lastTaken)
        {
            _entries.Add(new ForwardEntry<T>(lease, point));
            _lastTaken = point.Position;
            _taken.Dequeue();
        }
        else
        {
            // Confirmed before a kill that came between the note of it and the commit. Or the subscription was moved back: then another
            // lease has it if it is not confirmed yet.
            lease.Commit();
            _taken.Dequeue();
        }
    }

    // Messages come in order: those from before this one are letters by now.
    private bool TryMeetUnsent(ForwardPoint point)
    {
        if (_unsent.Count == 0)
        {
            return false;
        }
        _unsent.RemoveAll(one => one.Position < point.Position);
        bool isMet = _unsent.RemoveAll(
            one => one == point || (one.Position == point.Position && epochs.MayBeRenamed(one.Epoch, now: point.Epoch))) > 0;
        if (_unsent.RemoveAll(one => one.Position == point.Position) > 0)
        {
            // Another message has the position now. The note must not name the old one when this one's epoch gets another name.
            letters.IsNoted = false;
        }
        return isMet;
    }

    private IReadOnlyList<ForwardPoint> PointsToNote => _unsent.Count == 0 ? letters.Points : [.. letters.Points.Union(_unsent)];

    public void NotePublished() => _published++;

    /// <summary>Takes one out that was set aside.</summary>
    public void Remove(ForwardEntry<T> entry)
    {
        entry.EndSpan("It became a dead letter.", "set aside");
        _entries.Remove(entry);
    }

    public ForwardEntry<T>? Find(long position) => _entries.Find(one => one.Position == position);

    /// <summary>The broker has answered for a publish, or for all up to it.</summary>
    /// <returns>The first message that it had returned before it confirmed it; null if there is none.</returns>
    public ForwardEntry<T>? Confirm(ulong number, bool isMultiple)
    {
        long last = (long)(number - _firstNumber);
        for (long i = isMultiple ? Confirmed : last; i >= 0 && i <= last && i < _published; i++)
        {
            ForwardEntry<T> entry = _entries[(int)i];
            if (entry.ReturnText is not null)
            {
                NoteConfirmed();
                return entry;
            }
            entry.IsConfirmed = true;
        }
        NoteConfirmed();
        return null;
    }

    private void NoteConfirmed()
    {
        while (Confirmed < _published && _entries[Confirmed].IsConfirmed)
        {
            Confirmed++;
        }
    }

    /// <summary>Consumes what is confirmed from the oldest message on, up to the first that is not.</summary>
    /// <returns>How many messages.</returns>
    public int CommitConfirmed()
    {
        int count = Confirmed;
        for (int i = 0; i < count; i++)
        {
            _leases[i] = _entries[i].Lease;
        }
        if (count > 0)
        {
            // First the note, then the commit: what a kill leaves between the two is known to be confirmed.
            NoteUpTo(count);
            subscription.Commit(_leases.AsSpan(0, count));
            List<ForwardEntry<T>> done = _entries.GetRange(0, count);
            _entries.RemoveRange(0, count);
            _published -= count;
            Confirmed = 0;
            _firstNumber += (ulong)count;
            done.ForEach(NoteConfirmed);
            done.ForEach(static one => one.EndSpan());
        }
        return count;
    }

    // All of them are of one epoch.
    private void NoteUpTo(int count)
    {
        ForwardEntry<T> last = _entries[count - 1];
        if (last.Epoch != _epoch)
        {
            _confirmedOf.Clear();
        }
        source.Note(new ForwardNote(last.Point, PointsToNote) { Destination = destination });
        (_epoch, LastConfirmed) = (last.Epoch, last.Position);
    }

    /// <summary>
    /// Notes which messages are to become dead letters. What is published next does not name them as sent before it: so a forwarder that
    /// comes after a kill or a power loss must not send them behind it.
    /// </summary>
    public void NoteUnsent()
    {
        if (!letters.IsNoted)
        {
            source.Note(source.Noted with { Unsent = PointsToNote }, isSynced: true);
            letters.IsNoted = true;
        }
    }

    private void NoteConfirmed(ForwardEntry<T> entry)
    {
        if (entry.Key is not { } key)
        {
            return;
        }
        if (_confirmedOf.Count >= MostKeys)
        {
            _confirmedOf.Clear();
        }
        _confirmedOf[key] = entry.Position;
    }

    /// <summary>Gives everything back, uncounted, to the forwarder that comes next.</summary>
    public void GiveBack()
    {
        foreach (ForwardEntry<T> entry in _entries)
        {
            entry.Lease.TryAbandonUncounted();
            entry.EndSpan("The broker has not confirmed it.");
        }
        while (_taken.TryDequeue(out Lease<T> lease))
        {
            lease.TryAbandonUncounted();
        }
        _entries.Clear();
        (_published, Confirmed) = (0, 0);
    }
}
