using System.Globalization;

namespace BlitQueue.Checker;

/// <summary>
/// Everything that was acknowledged to anybody, and whether a queue that keeps its promises could have led to it.
/// </summary>
public sealed class History
{
    // The queue tells time-outs by a clock that moves on by some milliseconds at a time.
    private static readonly long ClockStep = Times.OfMilliseconds(10);

    private readonly Dictionary<(int Producer, long Number), Fate> _fates = [];
    private readonly Dictionary<(string Worker, int Producer), long> _lastSeen = [];
    private readonly Dictionary<int, int[]> _unfinished = [];
    private readonly Dictionary<int, int> _batches = [];
    private readonly HashSet<string> _killed = [];
    private readonly List<string> _faults = [];
    private readonly List<(Fate Fate, string Fault)> _disorder = [];

    /// <summary>Each consumer sees a producer's messages in their order; not so where several transactions passed them on.</summary>
    public bool IsOrdered { get; set; } = true;

    /// <summary>
    /// Leases were given back, by who took them or by his death. Who takes and consumes in one step is not told that a message comes again,
    /// so nothing can be said of the order in which such consumers get messages.
    /// </summary>
    public bool MayRepeatUntold { get; set; }

    /// <summary>How many messages were seen at a consumer.</summary>
    public long Deliveries { get; private set; }

    /// <summary>
    /// How many acknowledged messages may be missing: those that consumers had taken and consumed in one step and were killed before they
    /// could log.
    /// </summary>
    public int MayLack { get; set; }

    /// <summary>
    /// Nobody is killed, so that each message has an end: it is consumed, or became a letter. One that was only leased is missing.
    /// </summary>
    public bool IsExact { get; set; }

    /// <summary>What was enqueued in a call that began before this moment may be missing: it was purged, or sought past.</summary>
    public long MayBeGoneBefore { get; set; }

    /// <summary>How many messages the queue says that it has dropped for want of room.</summary>
    public long Dropped { get; set; }

    /// <summary>How often each message may be consumed: more than once where the subscription is made to go back.</summary>
    public int MostTimes { get; set; } = 1;

    /// <summary>After how long a lease may be taken from the living, in ticks; 0: never.</summary>
    public long TimeOut { get; set; }

    /// <summary>How many messages were acknowledged to their producers.</summary>
    public long Acknowledged { get; private set; }

    /// <summary>All messages that came to somebody.</summary>
    public IEnumerable<(int Producer, long Number)> Delivered
        => _fates.Where(static pair => pair.Value.IsDelivered).Select(static pair => pair.Key);

    /// <summary>Whether a message came to somebody.</summary>
    public bool IsDelivered((int Producer, long Number) message) => _fates.TryGetValue(message, out Fate? fate) && fate.IsDelivered;

    /// <summary>Reads what a worker logged. A last line without its end was being written when the worker was killed.</summary>
    /// <param name="path">The log; one that was never begun says nothing.</param>
    /// <param name="deliveries">False where the worker consumed from something else than this history is about.</param>
    public History ReadLog(string path, bool deliveries = true)
    {
        foreach (string line in LogFile.Lines(path).Where(line => deliveries || line[0] is 'E' or 'T'))
        {
            Read(Path.GetFileName(path), line);
        }
        return this;
    }

    private void Read(string worker, ReadOnlySpan<char> line)
    {
        if (Happening.IsOne(line))
        {
            return;
        }
        Span<Range> fields = stackalloc Range[7];
        int count = line.Split(fields, ' ');
        Times times = default;
        if ((count != 4 && (count != 6 || !Times.TryParse(line[fields[4]], line[fields[5]], out times)))
            || !int.TryParse(line[fields[1]], NumberStyles.None, CultureInfo.InvariantCulture, out int producer)
            || !long.TryParse(line[fields[2]], NumberStyles.None, CultureInfo.InvariantCulture, out long number)
            || !int.TryParse(line[fields[3]], NumberStyles.None, CultureInfo.InvariantCulture, out int attempt))
        {
            _faults.Add($"{worker} contains a line that is none: {line}");
            return;
        }
        switch (line[0])
        {
            case 'E':
                Enqueued(producer, number, times);
                break;
            case 'D':
                Dequeued(worker, producer, number, times);
                break;
            case 'R':
                Leased(worker, producer, number, attempt, times);
                break;
            case 'C':
                Committed(producer, number, attempt);
                break;
            case 'A':
                Abandoned(producer, number, attempt);
                break;
            case 'O':
                FateOf(producer, number).Ends.Add((worker, attempt, times));
                break;
            case 'L':
                FateOf(producer, number).IsBuried = true;
                break;
            case 'Z':
                FoundAmongLetters(producer, number);
                break;
            case 'T':
                Torn(worker, producer, number);
                break;
            default:
                _faults.Add($"{worker} contains a line that is none: {line}");
                break;
        }
    }

    /// <summary>The producer was killed: the one operation it was at, of one of these sizes, may have happened unacknowledged.</summary>
    public void KilledProducer(int producer, params int[] sizes) => _unfinished[producer] = sizes;

    /// <summary>The producer enqueues batches of this many: all of one arrive, or none.</summary>
    public void Batches(int producer, int size) => _batches[producer] = size;

    /// <summary>The consumer was killed: its leases may be delivered again.</summary>
    public void KilledConsumer(string worker) => _killed.Add(Path.GetFileName(worker));

    public void Enqueued(int producer, long number, Times times = default)
    {
        Fate fate = FateOf(producer, number);
        if (fate.Acknowledged)
        {
            _faults.Add($"message {producer}/{number} was acknowledged twice");
        }
        fate.Acknowledged = true;
        fate.Enqueue = times;
        Acknowledged++;
    }

    /// <summary>At the end the message stood among the dead letters.</summary>
    public void FoundAmongLetters(int producer, long number)
    {
        FateOf(producer, number).Letters++;
        Deliveries++;
    }

    public void Dequeued(string worker, int producer, long number, Times times = default)
    {
        Fate fate = FateOf(producer, number);
        fate.Dequeues++;
        fate.Dequeue = times;
        Deliveries++;
        if (Disorder(worker, producer, number) is { } fault)
        {
            _disorder.Add((fate, fault));
        }
    }

    public void Leased(string worker, int producer, long number, int attempt, Times times = default)
    {
        FateOf(producer, number).Leases.Add((worker, attempt, times));
        Deliveries++;
        if (attempt == 1 && Disorder(worker, producer, number) is { } fault)
        {
            _faults.Add(fault);
        }
    }

    public void Committed(int producer, long number, int attempt) => FateOf(producer, number).Commits.Add(attempt);

    public void Abandoned(int producer, long number, int attempt) => FateOf(producer, number).Abandons.Add(attempt);

    public void Torn(string worker, int producer, long number) => _faults.Add($"{worker} was given a torn message {producer}/{number}");

    /// <summary>What no queue that keeps its promises would have done; empty when all is well.</summary>
    public IReadOnlyList<string> Faults()
    {
        // What somebody had leased before came when it was given back. Whose log says so may be read later.
        List<string> faults = MayRepeatUntold
            ? [.. _faults]
            : [.. _faults, .. _disorder.Where(static seen => seen.Fate.Leases.Count == 0).Select(static seen => seen.Fault)];
        List<string> missing = [];
        foreach (((int producer, long number), Fate fate) in _fates)
        {
            string name = $"message {producer}/{number}";
            if (fate.Acknowledged && !(IsExact ? fate.IsConsumed : fate.IsDelivered)
                && (fate.Enqueue.Began == 0 || fate.Enqueue.Began >= MayBeGoneBefore))
            {
                missing.Add($"{name} was acknowledged and never {(IsExact ? "consumed" : "delivered")}");
            }
            CheckOnce(name, fate, faults);
        }
        if (missing.Count > MayLack + Dropped)
        {
            faults.AddRange(missing);
        }
        if (IsExact && IsOnce && MayBeGoneBefore == 0 && Dropped > missing.Count)
        {
            faults.Add($"{Dropped} messages are said to have been dropped, and {missing.Count} are missing");
        }
        CheckUnacknowledged(faults);
        CheckBatches(faults);
        return faults;
    }

    // What is wrong with a delivery behind those that the worker had seen before; null where nothing is.
    private string? Disorder(string worker, int producer, long number)
    {
        long last = _lastSeen.GetValueOrDefault((worker, producer), -1);
        _lastSeen[(worker, producer)] = Math.Max(last, number);
        return IsOrdered && last >= number ? $"{worker} was given message {producer}/{number} after {producer}/{last}" : null;
    }

    // Nothing of it is made to come again.
    private bool IsOnce => MostTimes == 1;

    private void CheckOnce(string name, Fate fate, List<string> faults)
    {
        if (fate.Dequeues + fate.Commits.Count + fate.Letters > MostTimes)
        {
            faults.Add($"{name} was consumed more than {(IsOnce ? "once" : $"{MostTimes} times")}");
        }
        if (fate.IsBuried && fate.Letters == 0)
        {
            faults.Add($"{name} was set aside and is not among the dead letters");
        }
        if (IsOnce)
        {
            CheckLeases(name, fate, faults);
        }
    }

    private void CheckLeases(string name, Fate fate, List<string> faults)
    {
        if (fate.Leases.Select(static lease => lease.Attempt).Distinct().Count() < fate.Leases.Count)
        {
            faults.Add($"{name} was leased twice with the same attempt");
        }
        int last = fate.LastAttempt;
        if (fate.Commits.Exists(attempt => attempt < last))
        {
            faults.Add($"{name} was delivered again after its lease was committed");
        }
        foreach ((string worker, int attempt, Times times) in fate.Leases)
        {
            if (attempt < last && !fate.Abandons.Contains(attempt) && !_killed.Contains(worker))
            {
                CheckTaken(name, worker, times, fate.After(attempt), faults);
            }
        }
        foreach ((string worker, int attempt, Times end) in fate.Ends)
        {
            CheckTaken(name, worker, fate.Leases.Find(lease => lease.Attempt == attempt).Times, end, faults);
        }
    }

    // Its time began when the call began that leased it, at the earliest, and was over when the call ended that found it so, at the latest.
    private void CheckTaken(string name, string worker, Times leased, Times taken, List<string> faults)
    {
        if (TimeOut == 0)
        {
            faults.Add($"{name} was taken from {worker}, which lives and had not given it back");
        }
        else if (leased.Began > 0 && taken.Ended > 0 && taken.Ended - leased.Began < TimeOut - ClockStep)
        {
            faults.Add(
                $"{name} was taken from {worker} {Times.Milliseconds(taken.Ended - leased.Began):0.0} ms after it was leased, and the "
                    + $"time-out is {Times.Milliseconds(TimeOut):0} ms");
        }
    }

    private void CheckUnacknowledged(List<string> faults)
    {
        foreach (IGrouping<int, KeyValuePair<(int Producer, long Number), Fate>> group in _fates.GroupBy(static pair => pair.Key.Producer))
        {
            long lastAcknowledged = group.Where(static pair => pair.Value.Acknowledged).Select(static pair => pair.Key.Number)
                .DefaultIfEmpty(-1).Max();
            long[] others = [.. group.Where(static pair => !pair.Value.Acknowledged).Select(static pair => pair.Key.Number).Order()];
            int[] sizes = _unfinished.GetValueOrDefault(group.Key, []);
            bool isOneOperation = others.Length == 0
                || (sizes.Any(size => size == others.Length || (size > others.Length && size - others.Length <= MayLack))
                    && others[0] > lastAcknowledged && others[^1] - others[0] < sizes.Max());
            if (!isOneOperation)
            {
                faults.Add(
                    $"messages {group.Key}/{string.Join(",", others)} arrived and cannot be the one operation that a kill interrupted");
            }
        }
    }

    private void CheckBatches(List<string> faults)
    {
        int parts = 0;
        List<string> split = [];
        foreach (IGrouping<(int Producer, long Batch), KeyValuePair<(int Producer, long Number), Fate>> group in _fates.Where(
            pair => _batches.ContainsKey(pair.Key.Producer) && pair.Value.IsDelivered)
            .GroupBy(pair => (pair.Key.Producer, Batch: pair.Key.Number / _batches[pair.Key.Producer])))
        {
            int lacking = _batches[group.Key.Producer] - group.Count();
            parts += lacking;
            if (lacking > 0)
            {
                split.Add($"batch {group.Key.Batch} of producer {group.Key.Producer} arrived in part");
            }
        }
        if (parts > MayLack)
        {
            faults.AddRange(split);
        }
    }

    private Fate FateOf(int producer, long number)
    {
        if (!_fates.TryGetValue((producer, number), out Fate? fate))
        {
            _fates.Add((producer, number), fate = new Fate());
        }
        return fate;
    }
}
