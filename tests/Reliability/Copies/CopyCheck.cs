using BlitQueue.Log;
using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Copies;

/// <summary>Opens a copy, enqueues into it, empties it, and compares with what was acknowledged and consumed.</summary>
internal sealed class CopyCheck(string path, string way, CopyMark mark, bool isRestarted)
{
    /// <summary>The number of the first message that is enqueued into a copy.</summary>
    public const long FirstOfTheCopy = 1_000_000_000_000;

    /// <summary>How many are.</summary>
    public const int Added = 100;

    private bool _isTold;

    private bool IsExact => way is CopyWay.AfterTheEnd;

    private bool IsWhole => IsExact || way is CopyWay.Backup;

    /// <returns>In a word what came of it; or a line that begins with "violation".</returns>
    public string Run()
    {
        if (!File.Exists(Path.Combine(path, StoreFormat.MetaName)))
        {
            return "no queue";
        }
        try
        {
            if (isRestarted)
            {
                CopyRestart.Pretend(path);
            }
            using var queue = MappedQueue<Item>.Open(path);
            // New names cost no message.
            _isTold = queue.Recovered?.Findings.Any(static one => one.What != Log.StoreCheck.RenamedEpochs) == true;
            for (int i = 0; i < Added; i++)
            {
                queue.Enqueue(new Item().Fill(FirstOfTheCopy + i, 200));
            }
            string? wrong = CopyLoad.Subscriptions.Select((name, index) => Compare(queue, name, index))
                .FirstOrDefault(static wrong => wrong is not null);
            return wrong is not null ? $"violation {wrong}; told: "
                + $"{string.Join(", ", queue.Recovered?.Findings.Select(static finding => finding.ToString()) ?? [])}"
                : IsWhole && _isTold ? "violation something is told: "
                    + $"{string.Join(", ", queue.Recovered?.Findings.Select(static finding => finding.ToString()) ?? [])}"
                : _isTold ? "something is told" : "nothing is missing";
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

    private string? Compare(MappedQueue<Item> queue, string name, int index)
    {
        using Subscription<Item> subscription = queue.Subscribe(name);
        List<long> numbers = [];
        Item? item = null;
        while (true)
        {
            try
            {
                if (!subscription.TryDequeue(ref item))
                {
                    break;
                }
            }
            catch (QueueCorruptException)
            {
                _isTold = true;
                subscription.SkipCorrupt();
                continue;
            }
            if (!item!.IsWhole)
            {
                return $"{name}: message {item.Number} is not whole";
            }
            numbers.Add(item.Number);
        }
        return Wrong(
            name, index, [.. numbers.TakeWhile(static number => number < FirstOfTheCopy)],
            [.. numbers.SkipWhile(static number => number < FirstOfTheCopy)]);
    }

    private string? Wrong(string name, int index, long[] copied, long[] added)
    {
        if (!added.SequenceEqual(Enumerable.Range(0, Added).Select(static i => FirstOfTheCopy + i)))
        {
            return $"{name}: of {Added} messages that were enqueued into the copy {added.Length} come: "
                + $"{string.Join(' ', added.Select(static number => number - FirstOfTheCopy))}";
        }
        if (copied.Zip(copied.Skip(1)).FirstOrDefault(static pair => pair.Second <= pair.First) is var (before, after) && before != 0)
        {
            return $"{name}: {after} comes after {before}";
        }
        long from = mark.MayBeConsumed[index] + 1, last = copied.Length == 0 ? 0 : copied[^1];
        if (IsExact && copied.Length > 0 && copied[0] < from)
        {
            return $"{name}: {copied[0]} comes again";
        }
        // What is behind the last one that comes was enqueued while it was copied, or is told. In an image is what was on the disk by then.
        long first = way == CopyWay.Image && !mark.IsDurable ? copied.FirstOrDefault() : from;
        long acknowledged = way == CopyWay.Image && !mark.IsDurable ? 0 : mark.Acknowledged;
        HashSet<long> there = copied.ToHashSet();
        for (long number = Math.Max(from, first); number <= Math.Max(acknowledged, last) && !_isTold; number++)
        {
            if (!there.Contains(number))
            {
                return $"{name}: {number} is missing, and nothing is told; there are {copied.Length}, {copied.FirstOrDefault()} to {last}";
            }
        }
        return null;
    }
}
