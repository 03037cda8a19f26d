using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Faults;

/// <summary>What was acknowledged while calls failed, and the comparison with what is there afterwards.</summary>
internal sealed class FaultLedger
{
    private readonly Dictionary<string, SortedDictionary<long, Fate>> _messages = [];
    private readonly List<string> _faults = [];
    private long _number;
    private bool _isCopied;

    /// <summary>What must not have been.</summary>
    public IReadOnlyList<string> Faults => _faults;

    private enum Fate
    {
        /// <summary>It must come, once.</summary>
        Enqueued,

        /// <summary>It may come, once.</summary>
        Open,

        /// <summary>It must not come.</summary>
        Gone,
    }

    public int Count(string queue) => Of(queue).Count;

    /// <summary>How many exceptions were judged.</summary>
    public int Refusals { get; private set; }

    /// <summary>Notes something that must not have been.</summary>
    public void Blame(string fault) => _faults.Add(fault);

    /// <summary>Enqueues a message; an exception leaves open whether it is there, unless it says that it is not.</summary>
    /// <returns>Whether it was acknowledged.</returns>
    public bool Try(string queue, Action<long> enqueue)
    {
        long number = _number++;
        try
        {
            enqueue(number);
            Of(queue)[number] = Fate.Enqueued;
            return true;
        }
        catch (Exception exception)
        {
            Judge(exception);
            bool nothing = exception is QueueFullException or QueueStalledException
                || exception.Message.Contains("Nothing was enqueued", StringComparison.Ordinal);
            Of(queue)[number] = nothing ? Fate.Gone : Fate.Open;
            return false;
        }
    }

    /// <summary>Consumes a message, whose number is returned; -1 where there is none.</summary>
    /// <returns>Whether one was consumed.</returns>
    public bool Consume(string queue, Func<long> consume)
    {
        try
        {
            long number = consume();
            if (number >= 0)
            {
                Of(queue)[number] = Fate.Gone;
            }
            return number >= 0;
        }
        catch (Exception exception)
        {
            Judge(exception);
            return false;
        }
    }

    /// <summary>Receives a message of one queue and sends one to another.</summary>
    public void Transact(MappedStore store, MappedQueue<Item> from, MappedQueue<Item> to)
    {
        long sent = _number++, received = -1;
        try
        {
            using QueueTransaction transaction = store.Begin();
            Item? item = null;
            received = transaction.TryReceive(from, ref item) ? item!.Number : -1;
            transaction.Enqueue(to, new Item().Fill(sent, 100));
            transaction.Commit();
            Of("b")[sent] = Fate.Enqueued;
            if (received >= 0)
            {
                Of("a")[received] = Fate.Gone;
            }
        }
        catch (Exception exception)
        {
            Judge(exception);
            bool isCommitted = exception.Message.Contains("is committed", StringComparison.Ordinal);
            Of("b")[sent] = isCommitted ? Fate.Enqueued
                : exception is QueueFailedException or QueueFullException or QueueStalledException ? Fate.Gone
                : Fate.Open;
            if (received >= 0 && isCommitted)
            {
                Of("a")[received] = Fate.Gone;
            }
        }
    }

    /// <summary>Copies queue a, of which one message is a dead letter too.</summary>
    public void Backup(string root)
    {
        try
        {
            BackupReport report = MappedQueue.Backup(Path.Combine(root, "a"), Path.Combine(root, "copy"));
            _isCopied = true;
            Compare(report.Verified);
        }
        catch (Exception exception)
        {
            Judge(exception);
        }
    }

    /// <summary>Reads all of queue a; where that does not find it sound, it found what calls failed.</summary>
    public void ReadThrough(string root)
    {
        try
        {
            Compare(MappedQueue.Verify(Path.Combine(root, "a")));
        }
        catch (Exception exception)
        {
            Judge(exception);
        }
    }

    private void Compare(VerifyReport found)
    {
        // Those of the queue, and that of its dead letters.
        const int subscriptions = 3;
        int expected = Of("a").Count;
        if (found.IsSound && (found.MessageCount != expected || found.Subscriptions.Count != subscriptions))
        {
            _faults.Add(
                $"sound with {found.MessageCount} messages and {found.Subscriptions.Count} subscriptions, of {expected} and "
                    + $"{subscriptions}");
        }
    }

    private void CompareCopy(string root)
    {
        string path = Path.Combine(root, "copy");
        if (!_isCopied)
        {
            if (Directory.Exists(path))
            {
                _faults.Add("a backup that failed looks finished");
            }
            return;
        }
        using var copy = MappedQueue<Item>.Open(path);
        using Subscription<Item> other = copy.Subscribe("other");
        if (copy.GetStatus().MessageCount != Of("a").Count || other.DeadLetters.Count != 1)
        {
            _faults.Add(
                $"a copy of {Of("a").Count} messages and 1 dead letter has {copy.GetStatus().MessageCount} and {other.DeadLetters.Count}");
        }
    }

    /// <summary>Messages from a number on were lost by other means.</summary>
    public void MayBeLost(string queue, long from)
    {
        foreach (long number in Of(queue).Keys.Where(number => number >= from).ToArray())
        {
            Of(queue)[number] = Fate.Open;
        }
    }

    /// <summary>Whether an exception is one that says what is wrong.</summary>
    public void Judge(Exception exception)
    {
        Refusals++;
        if (exception is AggregateException { InnerException: { } inner })
        {
            exception = inner;
        }
        if (exception is not QueueException)
        {
            _faults.Add(
                $"{exception.GetType().Name} instead of a typed exception: "
                    + $"{string.Join(" | ", exception.ToString().ReplaceLineEndings("\n").Split('\n').Take(9))}");
        }
    }

    /// <summary>Opens the queue without failures and takes everything.</summary>
    public void Verify(string root)
    {
        Item? item = null;
        CompareCopy(root);
        foreach ((string name, SortedDictionary<long, Fate> messages) in _messages)
        {
            using var queue = MappedQueue<Item>.Open(Path.Combine(root, name), new QueueOptions { SegmentSize = 1 << 16 });
            if (Directory.EnumerateFiles(queue.Path, "*.new").FirstOrDefault() is { } left)
            {
                _faults.Add($"{left} stays behind");
            }
            var seen = new List<long>();
            while (TakeOverHoles(queue, ref item))
            {
                seen.Add(item!.Number);
                if (!item.IsWhole || messages.GetValueOrDefault(item.Number, Fate.Gone) == Fate.Gone)
                {
                    _faults.Add(
                        $"{name} delivers message {item.Number}, which {(item.IsWhole ? "was not enqueued, or was consumed" : "is torn")}");
                }
            }
            if (!seen.SequenceEqual(seen.Distinct().Order()))
            {
                _faults.Add($"{name} delivers out of order or twice: {string.Join(", ", seen)}");
            }
            foreach ((long number, _) in messages.Where(message => message.Value == Fate.Enqueued && !seen.Contains(message.Key)))
            {
                _faults.Add($"{name} has lost message {number}");
            }
        }
        foreach (string name in _messages.Keys)
        {
            GoOn(Path.Combine(root, name));
        }
    }

    // A scenario that damages a file leaves a hole, which the queue tells of.
    private static bool TakeOverHoles(MappedQueue<Item> queue, ref Item? item)
    {
        while (true)
        {
            try
            {
                return queue.TryDequeue(ref item);
            }
            catch (QueueCorruptException exception) when (exception.HoleEnd is not null)
            {
                queue.SkipCorrupt();
            }
        }
    }

    private void GoOn(string path)
    {
        Item? item = null;
        using var queue = MappedQueue<Item>.Open(path);
        long probe = _number++;
        queue.Enqueue(new Item().Fill(probe, 70_000), Durability.Commit);
        if (!queue.TryDequeue(ref item) || item!.Number != probe || !item.IsWhole)
        {
            _faults.Add($"{path} does not go on");
        }
    }

    private SortedDictionary<long, Fate> Of(string queue)
    {
        if (!_messages.TryGetValue(queue, out SortedDictionary<long, Fate>? messages))
        {
            _messages[queue] = messages = [];
        }
        return messages;
    }
}
