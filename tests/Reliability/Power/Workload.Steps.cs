using System.Diagnostics;

namespace BlitQueue.Reliability.Power;

internal sealed partial class Workload
{
    private void Enqueue(OpenQueue queue, int? length = null)
    {
        Durability level = _random.Next(6) switch { < 3 => Durability.PageCache, < 5 => Durability.Commit, _ => Durability.Interval };
        Item item = NewItem(length);
        queue.Ledger.Enqueued(item.Number);
        queue.Queue.Enqueue(item, level);
        if (level == Durability.Commit)
        {
            queue.Ledger.AllDurable(Now);
        }
        else if (level == Durability.Interval)
        {
            queue.Interval = queue.Ledger.Count;
        }
    }

    private void EnqueueBatch(OpenQueue queue)
    {
        Item[] items = [.. Enumerable.Range(0, _random.Next(2, 9)).Select(_ => NewItem())];
        queue.Ledger.Enqueued([.. items.Select(static item => item.Number)]);
        queue.Queue.EnqueueBatch(items);
        NoteLevelOfHandle(queue);
    }

    private void EnqueueWithProperties(OpenQueue queue)
    {
        Item item = NewItem();
        var properties = new MessageProperties { Label = "label", MessageId = "id", TimeToLive = TimeSpan.FromHours(1) };
        queue.Ledger.Enqueued(item.Number);
        queue.Queue.Enqueue(item, properties);
        NoteLevelOfHandle(queue);
    }

    private void NoteLevelOfHandle(OpenQueue queue)
    {
        if (queue.IsCommitting)
        {
            queue.Ledger.AllDurable(Now);
        }
        else if (_levelOfA == Durability.Interval)
        {
            queue.Interval = queue.Ledger.Count;
        }
    }

    private void Dequeue(OpenQueue queue)
    {
        (string name, Subscription<Item> subscription) = AnySubscription(queue);
        Item? item = null;
        for (int count = _random.Next(1, 12); count > 0; count--)
        {
            int began = Now;
            if (!TryTake(subscription, queue.Ledger, ref item, out long key))
            {
                break;
            }
            Expect(item!);
            queue.Ledger.Subscriptions[name].Consume(key, began);
        }
    }

    /// <summary>Takes a message: by its lease where its number alone does not say which message it is.</summary>
    public static bool TryTake(Subscription<Item> subscription, QueueLedger books, ref Item? item, out long key)
    {
        Item? taken = item;
        Lease<Item> lease = default;
        key = 0;
        if (!Holes.Over(subscription, () => books.HasRequeued ? subscription.TryReceive(out lease) : subscription.TryDequeue(ref taken)))
        {
            return false;
        }
        if (books.HasRequeued)
        {
            lease.ReadInto(ref taken);
            key = books.KeyOf(taken!.Number, lease.Position);
            lease.Commit();
        }
        else
        {
            key = taken!.Number;
        }
        item = taken;
        return true;
    }

    private void Lease(OpenQueue queue)
    {
        (string name, Subscription<Item> subscription) = AnySubscription(queue);
        int began = Now;
        Lease<Item> lease = default;
        if (queue.Leases.Count < 8 && Holes.Over(subscription, () => subscription.TryReceive(out lease)))
        {
            Item? item = null;
            lease.ReadInto(ref item);
            Expect(item!);
            queue.Ledger.Subscriptions[name].HandOut(queue.Ledger.KeyOf(item!.Number, lease.Position), began);
            queue.Leases.Add((name, lease, item));
        }
    }

    private void EndLease(OpenQueue queue)
    {
        if (queue.Leases.Count == 0)
        {
            return;
        }
        int chosen = _random.Next(queue.Leases.Count), began = Now;
        (string name, Lease<Item> lease, Item item) = queue.Leases[chosen];
        queue.Leases.RemoveAt(chosen);
        SubscriptionLedger ledger = queue.Ledger.Subscriptions[name];
        long key = queue.Ledger.KeyOf(item.Number, lease.Position);
        switch (_random.Next(10))
        {
            case < 4:
                lease.Commit();
                ledger.Consume(key, began);
                break;
            case < 5:
                lease.Abandon();
                break;
            case < 7:
                string reason = $"not now, message {item.Number}, event {began}";
                ledger.GiveBack(key, reason);
                lease.Abandon(reason);
                break;
            default:
                ledger.Consume(key, began);
                ledger.SetAside.Add((key, began));
                if (queue.IsCommitting)
                {
                    ledger.Buried.Add(key);
                }
                lease.DeadLetter(SubscriptionLedger.ReasonOf(item.Number));
                break;
        }
    }

    private void Requeue(OpenQueue queue)
    {
        (string name, Subscription<Item> subscription) = AnySubscription(queue);
        SubscriptionLedger ledger = queue.Ledger.Subscriptions[name];
        DeadLetterLease<Item> lease = default;
        int began = Now;
        if (!Holes.Over(subscription.DeadLetters, () => subscription.DeadLetters.TryReceive(out lease)))
        {
            return;
        }
        DeadLetter<Item> letter = lease.Read();
        long number = letter.Message.Number, key = queue.Ledger.KeyOf(number, letter.Position);
        if (!letter.Message.IsWhole || letter.Reason != SubscriptionLedger.ReasonOf(number)
            || !ledger.SetAside.Exists(message => message.Key == key))
        {
            throw new InvalidOperationException($"{queue.Name}/{name} has a letter of message {number}: '{letter.Reason}'.");
        }
        QueuePosition position = lease.Requeue();
        ledger.Requeued.Add((key, began, queue.Ledger.Requeued(number, position, name)));
        NoteLevelOfHandle(queue);
    }

    private void Subscribe(OpenQueue queue)
    {
        if (queue.Subscriptions.Count > 4)
        {
            return;
        }
        string name = $"s{_subscriptions++}";
        SubscriptionStart start = _random.Next(2) == 0 ? SubscriptionStart.Oldest : SubscriptionStart.Newest;
        Subscription<Item> subscription = queue.Queue.Subscribe(name, Patient with { Start = start });
        int made = Now;
        Item? first = null;
        int begin = Holes.Over(subscription, () => subscription.TryPeek(ref first))
            ? queue.Ledger.IndexOf(first!.Number)
            : queue.Ledger.Count;
        queue.Ledger.Subscriptions[name] = new SubscriptionLedger { Start = begin, Made = made };
        queue.Subscriptions[name] = subscription;
    }

    private void DeleteSubscription(OpenQueue queue)
    {
        if (queue.Subscriptions.Keys.FirstOrDefault(static name => name != "default") is { } name)
        {
            queue.Ledger.Subscriptions[name].Deleted = Now;
            queue.Leases.RemoveAll(lease => lease.Subscription == name);
            queue.Subscriptions[name].Dispose();
            queue.Queue.DeleteSubscription(name);
            queue.Subscriptions.Remove(name);
        }
    }

    private void Transact(OpenQueue from)
    {
        if (_store is null)
        {
            return;
        }
        using QueueTransaction transaction = _store.Begin();
        var received = new List<(string, string, long)>();
        bool isNamed = true;
        (string subscription, Subscription<Item> source) = AnySubscription(from);
        Item? item = null;
        for (int count = _random.Next(4); count > 0; count--)
        {
            int began = Now;
            if (Holes.Over(source, () => transaction.TryReceive(source, ref item)))
            {
                Expect(item!);
                from.Ledger.Subscriptions[subscription].HandOut(item!.Number, began);
                received.Add((from.Name, subscription, item.Number));
                isNamed &= !from.Ledger.IsRequeued(item.Number);
            }
        }
        var sent = new List<(string, long)>();
        foreach (OpenQueue to in _open.Values.Where(_ => _random.Next(3) > 0))
        {
            for (int count = _random.Next(1, 4); count > 0; count--)
            {
                Item sending = NewItem();
                transaction.Enqueue(to.Queue, sending);
                sent.Add((to.Name, sending.Number));
            }
        }
        // A transaction does not tell a position: where the number may be that of two messages, both stay.
        if (_random.Next(6) > 0 && isNamed)
        {
            Commit(transaction, [.. sent], [.. received]);
        }
    }

    private void Commit(
        QueueTransaction transaction, (string Queue, long Number)[] sent, (string Queue, string Subscription, long Number)[] received)
    {
        bool isDurable = sent.Any(message => _open[message.Queue].IsCommitting);
        int began = Now;
        foreach (IGrouping<string, (string, long Number)> queue in sent.GroupBy(static message => message.Queue))
        {
            _ledger.Queue(queue.Key).Enqueued([.. queue.Select(static message => message.Number)]);
        }
        foreach ((string queue, string subscription, long number) in received)
        {
            _ledger.Queue(queue).Subscriptions[subscription].Consume(number, began);
        }
        var entry = new TransactionEntry(began, sent, received);
        if (isDurable)
        {
            _ledger.Transactions.Add(entry);
        }
        transaction.Commit();
        if (isDurable)
        {
            NoteDurable(entry);
        }
    }

    private void NoteDurable(TransactionEntry entry)
    {
        entry.Ended = Now;
        foreach ((string queue, _) in entry.Sent)
        {
            _ledger.Queue(queue).AllDurable(Now);
        }
        foreach ((string queue, string subscription, long number) in entry.Received)
        {
            _ledger.Queue(queue).Subscriptions[subscription].ConsumedDurably[number] = Now;
        }
    }

    private void Grow(OpenQueue queue)
    {
        using var grown = MappedQueue<GrownItem>.Open(Path.Combine(_root, queue.Name), OptionsOf(queue.Name));
        Item item = NewItem();
        queue.Ledger.Enqueued(item.Number);
        grown.Enqueue(new GrownItem { Number = item.Number, Body = item.Body, Remark = "newer" }, Durability.Commit);
        queue.Ledger.AllDurable(Now);
    }

    private void AwaitInterval(OpenQueue queue)
    {
        Item item = NewItem();
        queue.Ledger.Enqueued(item.Number);
        queue.Queue.Enqueue(item, Durability.Interval);
        QueuePosition end = queue.Queue.GetStatus().Next;
        long started = Stopwatch.GetTimestamp();
        while (queue.Queue.DurablePosition.Value < end.Value)
        {
            if (Stopwatch.GetElapsedTime(started) > TimeSpan.FromSeconds(20))
            {
                throw new InvalidOperationException("What was enqueued with Interval was not on the disk after 20 s.");
            }
            Thread.Sleep(1);
        }
        queue.Ledger.AllDurable(Now);
    }

    private Item NewItem(int? length = null) => new Item().Fill(_number++, length ?? Length());

    private (string Name, Subscription<Item> Subscription) AnySubscription(OpenQueue queue)
    {
        (string name, Subscription<Item> subscription) = queue.Subscriptions.ElementAt(_random.Next(queue.Subscriptions.Count));
        return (name, subscription);
    }

    private static void Expect(Item item)
    {
        if (!item.IsWhole)
        {
            throw new InvalidOperationException($"Message {item.Number} was delivered torn.");
        }
    }
}
