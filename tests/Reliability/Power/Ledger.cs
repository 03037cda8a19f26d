namespace BlitQueue.Reliability.Power;

/// <summary>What a run did, and what it was told when. From it follows what must be there after a power loss at any event.</summary>
internal sealed class Ledger
{
    private readonly Dictionary<string, QueueLedger> _queues = [];

    /// <summary>The transactions in their order.</summary>
    public List<TransactionEntry> Transactions { get; } = [];

    public IReadOnlyDictionary<string, QueueLedger> Queues => _queues;

    public QueueLedger Queue(string name)
    {
        if (!_queues.TryGetValue(name, out QueueLedger? queue))
        {
            _queues[name] = queue = new QueueLedger();
        }
        return queue;
    }
}
