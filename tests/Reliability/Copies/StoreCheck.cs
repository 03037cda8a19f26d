using BlitQueue.Log;
using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Copies;

/// <summary>Opens a copy of a store, uses it with transactions, empties it, and compares with what was acknowledged and taken.</summary>
internal sealed class StoreCheck(string path, string way, StoreMark mark, bool isRestarted)
{
    private const long First = CopyCheck.FirstOfTheCopy;

    private readonly bool[] _isTold = new bool[StoreMark.Queues.Length];
    private readonly List<string> _told = [];

    private bool IsExact => way is CopyWay.AfterTheEnd;

    private bool IsWhole => IsExact || way is CopyWay.Backup;

    private static IEnumerable<long> Fresh => Enumerable.Range(0, CopyCheck.Added).Select(static i => First + i);

    /// <returns>In a word what came of it; or a line that begins with "violation".</returns>
    public string Run()
    {
        if (!Array.TrueForAll(StoreMark.Queues, name => File.Exists(Path.Combine(path, name, StoreFormat.MetaName))))
        {
            return "no queue";
        }
        try
        {
            if (isRestarted)
            {
                CopyRestart.Pretend(path);
                Array.ForEach(StoreMark.Queues, name => CopyRestart.Pretend(Path.Combine(path, name)));
            }
            using var store = MappedStore.Open(path);
            string? wrong = Use(store);
            bool isTold = Array.Exists(_isTold, static told => told);
            return wrong is not null ? $"violation {wrong}; told: {string.Join(", ", _told)}"
                : IsWhole && isTold ? $"violation something is told: {string.Join(", ", _told)}"
                : isTold ? "something is told" : "nothing is missing";
        }
        catch (QueueException exception) when (!IsWhole && exception.Message.Contains(path, StringComparison.Ordinal))
        {
            return "refused";
        }
        catch (Exception exception)
        {
            return $"violation {exception}";
        }
    }

    private string? Use(MappedStore store)
    {
        MappedQueue<Item>[] queues = [.. StoreMark.Queues.Select(name => store.OpenQueue<Item>(name))];
        for (int queue = 0; queue < queues.Length; queue++)
        {
            foreach (RecoveryFinding finding in queues[queue].Recovered?.Findings ?? [])
            {
                if (finding.What == Log.StoreCheck.RenamedEpochs)
                {
                    // It costs no message.
                    continue;
                }
                _isTold[queue] = true;
                _told.Add($"{StoreMark.Queues[queue]}: {finding}");
            }
        }
        Add(store, queues);
        long[] there = Drain(queues, StoreMark.Out, withLease: false);
        List<long> moved = Move(store, queues);
        long[] afterwards = Drain(queues, StoreMark.Out, withLease: true), beside = Drain(queues, StoreMark.Audit, withLease: false);
        return Wrong(StoreMark.Out, there) ?? Wrong(StoreMark.In, moved) ?? Wrong(StoreMark.Audit, beside)
            ?? (moved.SequenceEqual(afterwards) ? null
                : $"{moved.Count} messages were moved in transactions, and {afterwards.Length} came there: {Text(moved)}; "
                    + Text(afterwards))
            ?? (IsWhole ? WrongTogether(moved, there) : null);
    }

    private static string Text(IEnumerable<long> numbers) => string.Join(' ', numbers);

    private static void Add(MappedStore store, MappedQueue<Item>[] queues)
    {
        for (int i = 0; i < CopyCheck.Added; i++)
        {
            Item item = new Item().Fill(First + i, 200);
            if (i % 2 == 0)
            {
                Array.ForEach(queues, queue => queue.Enqueue(item));
                continue;
            }
            using QueueTransaction transaction = store.Begin();
            transaction.EnqueueToAll(item, queues);
            transaction.Commit();
        }
    }

    private List<long> Move(MappedStore store, MappedQueue<Item>[] queues)
    {
        using Subscription<Item> from = queues[StoreMark.In].Subscribe("default");
        List<long> moved = [];
        Item? item = null;
        while (true)
        {
            try
            {
                using QueueTransaction transaction = store.Begin();
                if (!transaction.TryReceive(from, ref item))
                {
                    return moved;
                }
                transaction.Enqueue(queues[StoreMark.Out], item);
                transaction.Commit();
                moved.Add(item.IsWhole ? item.Number : -1);
            }
            catch (QueueCorruptException damage)
            {
                Skip(from, StoreMark.In, damage);
            }
        }
    }

    private long[] Drain(MappedQueue<Item>[] queues, int queue, bool withLease)
    {
        using Subscription<Item> subscription = queues[queue].Subscribe("default");
        List<long> numbers = [];
        Item? item = null;
        while (true)
        {
            try
            {
                if (!subscription.TryConsume(withLease, ref item))
                {
                    return [.. numbers];
                }
                numbers.Add(item!.IsWhole ? item.Number : -1);
            }
            catch (QueueCorruptException damage)
            {
                Skip(subscription, queue, damage);
            }
        }
    }

    private void Skip(Subscription<Item> subscription, int queue, QueueCorruptException damage)
    {
        _isTold[queue] = true;
        _told.Add(damage.Message);
        subscription.SkipCorrupt();
    }

    private string? Wrong(int queue, IEnumerable<long> numbers)
    {
        string name = StoreMark.Queues[queue];
        long[] copied = [.. numbers.TakeWhile(static number => number < First)], added = [.. numbers.Skip(copied.Length)];
        if (!added.SequenceEqual(Fresh))
        {
            return $"{name}: of {CopyCheck.Added} messages that were enqueued into the copy {added.Length} come: "
                + Text(added.Select(static number => number - First));
        }
        if (copied.Contains(-1) || copied.Zip(copied.Skip(1)).Any(static pair => pair.Second <= pair.First))
        {
            return $"{name}: not whole, or not in order: {Text(copied)}";
        }
        if (IsWhole && copied.Length > 0 && copied[0] <= mark.Taken[queue])
        {
            return $"{name}: {copied[0]} comes again";
        }
        if (_isTold[queue])
        {
            return null;
        }
        // What is behind the last one that comes was enqueued while it was copied.
        HashSet<long> there = copied.ToHashSet();
        for (long number = mark.MayBeTaken[queue] + 1; number <= Math.Max(mark.LastOf(queue), copied.LastOrDefault()); number++)
        {
            if (!there.Contains(number))
            {
                return $"{name}: {number} is missing, and nothing is told; there are {copied.Length}, {copied.FirstOrDefault()} to "
                    + $"{copied.LastOrDefault()}";
            }
        }
        return null;
    }

    // A transaction is in the copies of all its queues or in none.
    private string? WrongTogether(List<long> waiting, long[] moved)
    {
        HashSet<long> first = [.. waiting.Where(static number => number < First)];
        HashSet<long> second = [.. moved.Where(static number => number < First)];
        if (first.Overlaps(second))
        {
            return $"in and out: both have {Text(first.Intersect(second))}";
        }
        for (long number = mark.MayBeTaken[StoreMark.Out] + 1; number <= mark.Acknowledged; number++)
        {
            if (!first.Contains(number) && !second.Contains(number))
            {
                return $"in and out: neither has {number}";
            }
        }
        return null;
    }
}
