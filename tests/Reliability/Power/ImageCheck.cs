namespace BlitQueue.Reliability.Power;

/// <summary>Opens what a power loss has left, and compares it with what was promised by then.</summary>
/// <param name="root">The image.</param>
/// <param name="ledger">What was done and promised.</param>
/// <param name="now">The event at which the power went.</param>
/// <param name="violate">What to do with a violation.</param>
internal sealed class ImageCheck(string root, Ledger ledger, int now, Action<string> violate)
{
    private const long ProbeNumber = long.MaxValue / 2;
    private const int MostAttempts = 1000;

    private readonly Dictionary<string, int> _ends = [];
    private readonly Dictionary<string, bool> _isShown = [];
    private readonly Dictionary<string, HashSet<long>> _holes = [];
    private readonly Dictionary<(string, string), HashSet<long>> _delivered = [];

    /// <summary>How many letters of messages that were set aside were found.</summary>
    public int LettersSetAside { get; private set; }

    /// <summary>How many letters had a reason with which their message was given back before the power went.</summary>
    public int LettersGivenUp { get; private set; }

    public void Run(bool throughStore)
    {
        using MappedStore? store = throughStore ? MappedStore.Open(root) : null;
        foreach (string name in Workload.QueueNames)
        {
            string path = Path.Combine(root, name);
            using MappedQueue<Item> queue = store?.OpenQueue<Item>(name)
                ?? MappedQueue<Item>.Open(path, new QueueOptions { SegmentSize = 1 << 16 });
            CheckLog(name, queue);
            CheckSubscriptions(name, queue);
            CheckGoesOn(name, queue);
        }
        foreach (TransactionEntry transaction in ledger.Transactions.Where(transaction => transaction.Began < now))
        {
            CheckTransaction(transaction);
        }
    }

    private void CheckLog(string name, MappedQueue<Item> queue)
    {
        QueueLedger books = ledger.Queue(name);
        int durable = books.DurableAt(now), last = -1;
        foreach ((Item item, QueuePosition position, bool isBehindHole) in Holes.Read(queue))
        {
            int index = books.IndexOf(books.KeyOf(item.Number, position));
            if (!item.IsWhole || index < 0)
            {
                violate(
                    $"{name} contains message {item.Number}, which is "
                        + $"{(index < 0 ? "none of its own, or of a time that was lost" : "torn")}");
            }
            else if (isBehindHole && index > last + 1)
            {
                CheckHole(name, books, last + 1, index);
            }
            else if (last >= 0 && index != last + 1)
            {
                violate($"{name}: message {item.Number}, number {index} of the log, follows number {last}");
            }
            last = index;
        }
        if (last >= 0 && last < durable - 1)
        {
            if (!ArePassed(books, last + 1, durable))
            {
                violate($"{name} ends with number {last}, and {durable} messages were called durable");
            }
            last = durable - 1;
        }
        if (books.IsCutAt(last))
        {
            violate($"{name} ends with number {last}, in the middle of a batch");
        }
        // Where nothing is shown the log may still end with a batch whose beginning is gone, and which subscriptions are in.
        _ends[name] = last >= 0 ? last : durable - 1;
        _isShown[name] = last >= 0;
    }

    // Of segments that were given up an earlier one may still be there when later ones are gone: a thread takes a segment off the list, and
    // another thread, or the system, may be faster with the next one's name.
    private bool ArePassed(QueueLedger books, int from, int to)
    {
        KeyValuePair<string, SubscriptionLedger>[] all =
            [.. books.Subscriptions.Where(entry => entry.Value.Made <= now && entry.Value.Deleted >= now)];
        return all.Length > 0 && Enumerable.Range(from, to - from).All(index => all.All(entry =>
            index < entry.Value.Start || books.IsForAnother(books.Number(index), entry.Key)
            || (entry.Value.Consumed.TryGetValue(books.Number(index), out int began) && began < now)));
    }

    // What was not on the disk may be lost in front of what was; a recovery tells of it.
    private void CheckHole(string name, QueueLedger books, int from, int to)
    {
        _holes[name] = (_holes.GetValueOrDefault(name) ?? []).Concat(Enumerable.Range(from, to - from).Select(books.Number)).ToHashSet();
        // What was in front of the first may have been deleted.
        if (from > 0 && (books.IsCutAt(from - 1) || books.IsCutAt(to - 1)))
        {
            violate($"{name}: a hole from number {from} to number {to} of the log cuts a batch");
        }
    }

    private void CheckSubscriptions(string name, MappedQueue<Item> queue)
    {
        QueueLedger books = ledger.Queue(name);
        string[] there = [.. queue.GetStatus().Subscriptions.Select(static status => status.Name)];
        foreach ((string subscription, SubscriptionLedger entry) in books.Subscriptions)
        {
            bool must = entry.Made <= now && entry.Deleted >= now;
            if (must && !there.Contains(subscription))
            {
                violate($"{name} has lost its subscription {subscription}");
            }
        }
        foreach (string subscription in there)
        {
            CheckSubscription(name, queue, subscription, books.Subscriptions.GetValueOrDefault(subscription));
        }
    }

    private void CheckSubscription(string name, MappedQueue<Item> queue, string subscription, SubscriptionLedger? entry)
    {
        // In some images what was delivered before becomes a letter, with the reason for which it was given back.
        using Subscription<Item> consumer = queue.Subscribe(
            subscription, new SubscriptionOptions { MaxAttempts = (now + subscription.Length) % 3 == 0 ? 1 : MostAttempts });
        var delivered = new HashSet<long>();
        QueueLedger books = ledger.Queue(name);
        Item? item = null;
        int lastFresh = -1;
        while (Workload.TryTake(consumer, books, ref item, out long key))
        {
            int index = books.IndexOf(key);
            bool isFresh = entry is null || !(entry.HandedOut.TryGetValue(key, out int out_) && out_ < now);
            if (!item!.IsWhole || index < 0 || (index > _ends[name] && _isShown[name]) || books.IsForAnother(key, subscription))
            {
                violate($"{name}/{subscription} delivers message {item.Number}, which is not in the log, or is another's");
            }
            if (!delivered.Add(key))
            {
                violate($"{name}/{subscription} delivers message {item.Number} twice");
            }
            if (entry?.ConsumedDurably.TryGetValue(key, out int durably) == true && durably <= now)
            {
                violate($"{name}/{subscription} delivers message {item.Number} again, which a durable transaction has consumed");
            }
            if (isFresh && index < lastFresh)
            {
                violate($"{name}/{subscription} delivers message {item.Number}, number {index} of the log, behind number {lastFresh}");
            }
            lastFresh = isFresh ? index : lastFresh;
        }
        HashSet<long> letters = entry is null ? [] : CheckLetters($"{name}/{subscription}", consumer.DeadLetters, books, entry, delivered);
        _delivered[(name, subscription)] = delivered;
        if (entry is not null && entry.Made <= now && entry.Deleted >= now)
        {
            CheckComplete(name, subscription, entry, delivered, letters);
        }
    }

    // A letter is of a message that was set aside, with the reason that was given then; or one that this check has made of a message that
    // was delivered before, which counts as delivered: its reason is one with which it was given back, or none was on the disk.
    private HashSet<long> CheckLetters(
        string where, DeadLetterQueue<Item> queue, QueueLedger books, SubscriptionLedger entry, HashSet<long> delivered)
    {
        List<long> letters = [];
        DeadLetter<Item>? letter = null;
        while (Holes.Over(queue, () => queue.TryTake(ref letter)))
        {
            long number = letter!.Message.Number, key = books.KeyOf(number, letter.Position);
            int setAside = entry.SetAside.Count(message => message.Key == key && message.Began < now);
            bool isSetAside = setAside > 0 && letter.Reason == SubscriptionLedger.ReasonOf(number);
            bool isGivenUp = letter.Reason.StartsWith("It was delivered ", StringComparison.Ordinal)
                || (entry.Reasons.TryGetValue(key, out HashSet<string>? reasons) && reasons.Contains(letter.Reason));
            if (!letter.Message.IsWhole || letter.Attempts < 1 || !(isSetAside || isGivenUp))
            {
                violate($"{where} has a letter of message {number}: '{letter.Reason}', after {letter.Attempts} attempts");
            }
            if (isSetAside)
            {
                letters.Add(key);
                LettersSetAside++;
            }
            else if (!letter.Reason.StartsWith("It was delivered ", StringComparison.Ordinal))
            {
                LettersGivenUp++;
            }
            if (isSetAside ? letters.Count(one => one == key) > setAside : !delivered.Add(key))
            {
                violate($"{where} has message {number} once more than may be, as a letter: '{letter.Reason}'");
            }
        }
        return [.. letters];
    }

    private void CheckComplete(
        string name, string subscription, SubscriptionLedger entry, HashSet<long> delivered, HashSet<long> letters)
    {
        QueueLedger books = ledger.Queue(name);
        for (int index = entry.Start; index <= _ends[name]; index++)
        {
            long number = books.Number(index);
            if (delivered.Contains(number) || books.IsForAnother(number, subscription)
                || (_holes.GetValueOrDefault(name)?.Contains(number) == true && index >= books.DurableAt(now)))
            {
                continue;
            }
            if (!entry.Consumed.TryGetValue(number, out int began) || began >= now)
            {
                violate($"{name}/{subscription} has lost message {number}, number {index} of the log, which nobody had consumed"
                    + (entry.HandedOut.TryGetValue(number, out int handedOut) && handedOut < now ? "; it was leased" : ""));
            }
            else if (entry.Buried.Contains(number) && !letters.Contains(number) && !IsMessageAgain(name, entry, number))
            {
                violate($"{name}/{subscription} has lost message {number}, which was set aside, and its letter");
            }
        }
    }

    // Of that message it is asked by itself whether it comes.
    private bool IsMessageAgain(string name, SubscriptionLedger entry, long letter) =>
        entry.Requeued.Exists(requeued => requeued.Key == letter && requeued.Began < now && IsThere(name, requeued.Message));

    private void CheckGoesOn(string name, MappedQueue<Item> queue)
    {
        queue.Enqueue(new Item().Fill(ProbeNumber, 100), Durability.Commit);
        Item? item = null;
        if (!queue.TryDequeue(ref item) || item!.Number != ProbeNumber || !item.IsWhole || queue.TryDequeue(ref item))
        {
            violate($"{name} does not go on: what is enqueued now is not what comes next");
        }
    }

    private void CheckTransaction(TransactionEntry transaction)
    {
        bool[] sent = [.. transaction.Sent.Select(message => IsThere(message.Queue, message.Number))];
        if (sent.Distinct().Count() > 1)
        {
            IEnumerable<string> parts = transaction.Sent.Zip(
                sent, static (message, isThere) => $"{message.Queue} {message.Number} {isThere}");
            violate($"of a durable transaction a part is there: {string.Join(", ", parts)}");
        }
        else if (!sent[0] && transaction.Ended <= now)
        {
            violate(
                $"a durable transaction that had returned is lost, with message {transaction.Sent[0].Number} of "
                    + $"{transaction.Sent[0].Queue}");
        }
        else
        {
            CheckReceived(transaction, sent[0]);
        }
    }

    // In a hole at the log's beginning stood what was lost, and what all subscriptions had consumed before: a durable transaction's message
    // may be among it.
    private bool IsThere(string queue, long number)
    {
        QueueLedger books = ledger.Queue(queue);
        int index = books.IndexOf(number);
        return index <= _ends[queue] && (index < books.DurableAt(now) || _holes.GetValueOrDefault(queue)?.Contains(number) != true);
    }

    private void CheckReceived(TransactionEntry transaction, bool happened)
    {
        foreach ((string queue, string subscription, long number) in transaction.Received)
        {
            SubscriptionLedger entry = ledger.Queue(queue).Subscriptions[subscription];
            bool isLost = !happened && !IsThere(queue, number);
            if (isLost || !_delivered.TryGetValue((queue, subscription), out HashSet<long>? delivered) || entry.Deleted < now)
            {
                continue;
            }
            if (delivered.Contains(number) == happened)
            {
                violate($"a durable transaction has {(happened ? "" : "not ")}happened, and {queue}/{subscription} "
                    + $"{(happened ? "delivers what it consumed" : "does not deliver what it would have consumed")}: message {number}; it "
                    + "sent "
                    + $"{string.Join(", ", transaction.Sent)}, began at {transaction.Began} and ended at {transaction.Ended}");
            }
        }
    }
}
