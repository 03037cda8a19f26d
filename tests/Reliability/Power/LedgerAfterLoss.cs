namespace BlitQueue.Reliability.Power;

/// <summary>
/// The books of a queue that goes on after a power loss: what it was found to hold is durable from then on, and nothing else may come.
/// </summary>
internal static class LedgerAfterLoss
{
    /// <param name="before">The books of the time before.</param>
    /// <param name="lost">The event at which the power went.</param>
    /// <param name="found">What is in each queue's log now, oldest first, and of each whether a hole is in front of it.</param>
    /// <param name="subscriptions">Which subscriptions each queue has now.</param>
    /// <param name="after">The books to fill.</param>
    /// <param name="now">The event by which the queues were open.</param>
    public static void Fill(
        Ledger before, int lost, Func<string, IEnumerable<(long Number, QueuePosition Position, bool IsBehindHole)>> found,
        Func<string, IEnumerable<string>> subscriptions, Ledger after, int now)
    {
        foreach (string name in Workload.QueueNames)
        {
            QueueLedger old = before.Queue(name), books = after.Queue(name);
            books.KnowRequeuedOf(old);
            (long Number, bool IsBehindHole)[] read =
                [.. found(name).Select(message => (old.KeyOf(message.Number, message.Position), message.IsBehindHole))];
            long[] there = [.. read.Select(static message => message.Number)], cut = [.. CutBatch(old, there, lost)];
            Enqueue(old, books, [.. cut, .. there]);
            // Where a hole is in front of the first message, what stood there may be lost.
            int uncertain = read is [(_, true), ..] ? cut.Length : 0;
            books.AllDurable(now);
            foreach (string subscription in subscriptions(name))
            {
                books.Subscriptions[subscription] = Continue(
                    old.Subscriptions.GetValueOrDefault(subscription), books, old, lost, uncertain);
            }
        }
        foreach (TransactionEntry transaction in before.Transactions.Where(transaction => transaction.Began < lost))
        {
            Settle(transaction, before, after);
        }
    }

    // What is left of a batch whose beginning is gone is shown to nobody new; subscriptions that are in it go on there.
    private static IEnumerable<long> CutBatch(QueueLedger old, long[] there, int lost)
    {
        int end = there.Length > 0 ? old.IndexOf(there[0]) : old.DurableAt(lost), start = end - 1;
        while (start > 0 && old.IsCutAt(start - 1))
        {
            start--;
        }
        return Enumerable.Range(Math.Max(0, start), end - Math.Max(0, start)).Select(old.Number);
    }

    private static void Enqueue(QueueLedger old, QueueLedger books, long[] numbers)
    {
        for (int start = 0, end; start < numbers.Length; start = end)
        {
            for (end = start + 1; end < numbers.Length && old.IsCutAt(old.IndexOf(numbers[end - 1])); end++)
            {
            }
            books.Enqueued(numbers[start..end]);
        }
    }

    private static SubscriptionLedger Continue(SubscriptionLedger? old, QueueLedger books, QueueLedger oldBooks, int lost, int uncertain)
    {
        var entry = new SubscriptionLedger
        {
            Start = 0,
            Made = old is not null && old.Made <= lost && old.Deleted >= lost ? 0 : int.MaxValue,
        };
        CarryOver(old, entry, lost);
        for (int index = 0; index < books.Count; index++)
        {
            long number = books.Number(index);
            entry.HandOut(number, -1);
            bool isOpen = index >= uncertain && old is not null && entry.Made == 0 && oldBooks.IndexOf(number) >= old.Start
                && !(old.Consumed.TryGetValue(number, out int began) && began < lost);
            if (!isOpen)
            {
                entry.Consume(number, -1);
            }
            if (old?.ConsumedDurably.TryGetValue(number, out int durably) == true && durably <= lost)
            {
                entry.ConsumedDurably[number] = 0;
            }
        }
        return entry;
    }

    // What letters may be found, and what they may say.
    private static void CarryOver(SubscriptionLedger? old, SubscriptionLedger entry, int lost)
    {
        entry.SetAside.AddRange(
            (old?.SetAside ?? []).Where(message => message.Began < lost).Select(static message => (message.Key, Began: -1)));
        foreach ((long key, HashSet<string> reasons) in old?.Reasons ?? [])
        {
            entry.Reasons[key] = reasons;
        }
    }

    // By now it has happened or it has not, and that stays so.
    private static void Settle(TransactionEntry transaction, Ledger before, Ledger after)
    {
        (string queue, long number) = transaction.Sent[0];
        QueueLedger books = after.Queue(queue);
        bool happened = books.IndexOf(number) >= 0
            || (books.Count > 0 && before.Queue(queue).IndexOf(books.Number(0)) > before.Queue(queue).IndexOf(number));
        foreach ((string from, string subscription, long consumed) in transaction.Received)
        {
            if (after.Queue(from).Subscriptions.TryGetValue(subscription, out SubscriptionLedger? entry) && entry.Made == 0)
            {
                if (happened)
                {
                    entry.ConsumedDurably[consumed] = 0;
                }
                else if (after.Queue(from).IndexOf(consumed) >= 0)
                {
                    entry.Consumed.Remove(consumed);
                }
            }
        }
    }
}
