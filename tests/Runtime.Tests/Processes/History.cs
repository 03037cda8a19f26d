using System.Globalization;

namespace BlitQueue.Tests.Processes;

/// <summary>
/// Everything that was acknowledged to anybody, and whether a queue that keeps its promises could have led to it.
/// </summary>
internal sealed class History
{
    private readonly Dictionary<(int Producer, long Number), Fate> _fates = [];
    private readonly Dictionary<(string Worker, int Producer), long> _lastSeen = [];
    private readonly Dictionary<int, int[]> _unfinished = [];
    private readonly Dictionary<int, int> _batches = [];
    private readonly HashSet<string> _killed = [];
    private readonly List<string> _faults = [];

    /// <summary>How many messages were seen at a consumer.</summary>
    public long Deliveries { get; private set; }

    /// <summary>
    /// How many acknowledged messages may be missing: those that consumers had taken and consumed in one step and were killed before they
    /// could log.
    /// </summary>
    public int MayLack { get; set; }

    /// <summary>Reads what a worker logged. A last line without its end was being written when the worker was killed.</summary>
    public History ReadLog(string path)
    {
        if (!File.Exists(path))
        {
            return this;
        }
        string text = File.ReadAllText(path);
        foreach (ReadOnlySpan<char> line in text.AsSpan(0, text.LastIndexOf('\n') + 1).EnumerateLines())
        {
            if (!line.IsEmpty)
            {
                Read(path, line);
            }
        }
        return this;
    }

    private void Read(string worker, ReadOnlySpan<char> line)
    {
        Span<Range> fields = stackalloc Range[4];
        line.Split(fields, ' ');
        int producer = int.Parse(line[fields[1]], CultureInfo.InvariantCulture);
        long number = long.Parse(line[fields[2]], CultureInfo.InvariantCulture);
        int attempt = int.Parse(line[fields[3]], CultureInfo.InvariantCulture);
        switch (line[0])
        {
            case 'E':
                Enqueued(producer, number);
                break;
            case 'D':
                Dequeued(worker, producer, number);
                break;
            case 'R':
                Leased(worker, producer, number, attempt);
                break;
            case 'C':
                Committed(producer, number, attempt);
                break;
            case 'A':
                Abandoned(producer, number, attempt);
                break;
            default:
                Torn(worker, producer, number);
                break;
        }
    }

    /// <summary>The producer was killed: the one operation it was at, of one of these sizes, may have happened unacknowledged.</summary>
    public void KilledProducer(int producer, params int[] sizes) => _unfinished[producer] = sizes;

    /// <summary>The producer enqueues batches of this many: all of one arrive, or none.</summary>
    public void Batches(int producer, int size) => _batches[producer] = size;

    /// <summary>The consumer was killed: its leases may be delivered again.</summary>
    public void KilledConsumer(string worker) => _killed.Add(worker);

    public void Enqueued(int producer, long number) => FateOf(producer, number).Acknowledged = true;

    public void Dequeued(string worker, int producer, long number)
    {
        Fate fate = FateOf(producer, number);
        fate.Dequeues++;
        Deliveries++;
        if (fate.Leases.Count == 0)
        {
            SeenFirst(worker, producer, number);
        }
    }

    public void Leased(string worker, int producer, long number, int attempt)
    {
        FateOf(producer, number).Leases.Add((worker, attempt));
        Deliveries++;
        if (attempt == 1)
        {
            SeenFirst(worker, producer, number);
        }
    }

    public void Committed(int producer, long number, int attempt) => FateOf(producer, number).Commits.Add(attempt);

    public void Abandoned(int producer, long number, int attempt) => FateOf(producer, number).Abandons.Add(attempt);

    public void Torn(string worker, int producer, long number) => _faults.Add($"{worker} was given a torn message {producer}/{number}");

    /// <summary>What no queue that keeps its promises would have done; empty when all is well.</summary>
    public IReadOnlyList<string> Faults()
    {
        List<string> faults = [.. _faults];
        List<string> missing = [];
        foreach (((int producer, long number), Fate fate) in _fates)
        {
            string name = $"message {producer}/{number}";
            if (fate is { Acknowledged: true, Dequeues: 0, Leases.Count: 0 })
            {
                missing.Add($"{name} was acknowledged and never delivered");
            }
            CheckOnce(name, fate, faults);
        }
        if (missing.Count > MayLack)
        {
            faults.AddRange(missing);
        }
        CheckUnacknowledged(faults);
        CheckBatches(faults);
        return faults;
    }

    private void SeenFirst(string worker, int producer, long number)
    {
        if (_lastSeen.TryGetValue((worker, producer), out long last) && last >= number)
        {
            _faults.Add($"{worker} was given message {producer}/{number} after {producer}/{last}");
        }
        _lastSeen[(worker, producer)] = number;
    }

    private void CheckOnce(string name, Fate fate, List<string> faults)
    {
        if (fate.Dequeues > 1 || fate.Commits.Count > 1 || fate.Dequeues + fate.Commits.Count > 1)
        {
            faults.Add($"{name} was consumed more than once");
        }
        if (fate.Leases.Select(static lease => lease.Attempt).Distinct().Count() < fate.Leases.Count)
        {
            faults.Add($"{name} was leased twice with the same attempt");
        }
        int last = fate.Dequeues > 0 ? int.MaxValue : fate.Leases.Select(static lease => lease.Attempt).DefaultIfEmpty().Max();
        if (fate.Commits.Exists(attempt => attempt < last))
        {
            faults.Add($"{name} was delivered again after its lease was committed");
        }
        foreach ((string worker, int attempt) in fate.Leases)
        {
            if (attempt < last && !fate.Abandons.Contains(attempt) && !_killed.Contains(worker))
            {
                faults.Add($"{name} was taken from {worker}, which lives and had not given it back");
            }
        }
    }

    private void CheckUnacknowledged(List<string> faults)
    {
        foreach (var group in _fates.GroupBy(static pair => pair.Key.Producer))
        {
            long lastAcknowledged = group.Where(static pair => pair.Value.Acknowledged).Select(static pair => pair.Key.Number).DefaultIfEmpty(-1).Max();
            long[] others = [.. group.Where(static pair => !pair.Value.Acknowledged).Select(static pair => pair.Key.Number).Order()];
            int[] sizes = _unfinished.GetValueOrDefault(group.Key, []);
            bool isOneOperation = others.Length == 0
                || (sizes.Any(size => size == others.Length || (size > others.Length && size - others.Length <= MayLack))
                    && others[0] > lastAcknowledged && others[^1] - others[0] < sizes.Max());
            if (!isOneOperation)
            {
                faults.Add($"messages {group.Key}/{string.Join(",", others)} arrived and cannot be the one operation that a kill interrupted");
            }
        }
    }

    private void CheckBatches(List<string> faults)
    {
        int parts = 0;
        List<string> split = [];
        foreach (var group in _fates.Where(pair => _batches.ContainsKey(pair.Key.Producer) && pair.Value.IsDelivered)
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

    private sealed class Fate
    {
        public bool Acknowledged { get; set; }

        public int Dequeues { get; set; }

        public List<(string Worker, int Attempt)> Leases { get; } = [];

        public List<int> Commits { get; } = [];

        public List<int> Abandons { get; } = [];

        public bool IsDelivered => Dequeues > 0 || Leases.Count > 0;
    }
}
