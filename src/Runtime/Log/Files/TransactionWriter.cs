namespace BlitQueue.Log;

/// <summary>Writes a transaction's entries into the slot. Meanwhile the slot says that no transaction is decided.</summary>
internal ref struct TransactionWriter(Span<byte> slot)
{
    private readonly Span<byte> _slot = slot;
    private readonly List<string> _queues = [];
    private readonly List<(int Queue, string Name)> _subscriptions = [];
    private int _outputs;
    private int _leases;

    public void Add(in DecidedOutput output)
    {
        int queue = NumberOf(output.Queue, output.QueueId);
        Require(_outputs < TransactionFormat.MostOutputs, TransactionFormat.MostOutputs, "queues sent to");
        Span<byte> entry = _slot[TransactionFormat.OutputAt(_outputs++)];
        BinaryPrimitives.WriteInt32LittleEndian(entry, queue);
        BinaryPrimitives.WriteInt64LittleEndian(entry[8..], output.Position);
        BinaryPrimitives.WriteInt64LittleEndian(entry[16..], output.Header);
        BinaryPrimitives.WriteInt64LittleEndian(entry[24..], output.End);
    }

    public void Add(in DecidedLease lease)
    {
        int subscription = NumberOf(NumberOf(lease.Queue, lease.QueueId), lease.SubscriptionName);
        Require(_leases < TransactionFormat.MostLeases, TransactionFormat.MostLeases, "messages received");
        Span<byte> entry = _slot[TransactionFormat.LeaseAt(_leases++)];
        BinaryPrimitives.WriteInt32LittleEndian(entry, subscription);
        BinaryPrimitives.WriteInt32LittleEndian(entry[4..], lease.Cell);
        BinaryPrimitives.WriteInt64LittleEndian(entry[8..], lease.Message);
    }

    /// <summary>Writes the number of entries, and whether they count after the machine went down; if so, it adds a check.</summary>
    public readonly void Complete(long number, bool durable)
    {
        BinaryPrimitives.WriteInt32LittleEndian(_slot[TransactionFormat.DurableOffset..], durable ? 1 : 0);
        BinaryPrimitives.WriteInt32LittleEndian(_slot[TransactionFormat.QueueCountOffset..], _queues.Count);
        BinaryPrimitives.WriteInt32LittleEndian(_slot[TransactionFormat.SubscriptionCountOffset..], _subscriptions.Count);
        BinaryPrimitives.WriteInt32LittleEndian(_slot[TransactionFormat.OutputCountOffset..], _outputs);
        BinaryPrimitives.WriteInt32LittleEndian(_slot[TransactionFormat.LeaseCountOffset..], _leases);
        int used = TransactionFormat.LeasesOffset + (TransactionFormat.LeaseSize * _leases);
        BinaryPrimitives.WriteInt64LittleEndian(
            _slot[TransactionFormat.CheckOffset..], durable ? TransactionReader.Check(_slot[..used], number) : 0);
    }

    private readonly int NumberOf(string queue, Guid id)
    {
        int number = _queues.IndexOf(queue);
        if (number < 0)
        {
            number = _queues.Count;
            Require(number < TransactionFormat.MostQueues, TransactionFormat.MostQueues, "queues");
            _queues.Add(queue);
            Span<byte> entry = _slot[TransactionFormat.NamedAt(TransactionFormat.QueuesOffset, number)];
            id.TryWriteBytes(entry);
            WriteName(entry, queue);
        }
        return number;
    }

    private readonly int NumberOf(int queue, string subscription)
    {
        int number = _subscriptions.IndexOf((queue, subscription));
        if (number < 0)
        {
            number = _subscriptions.Count;
            Require(number < TransactionFormat.MostSubscriptions, TransactionFormat.MostSubscriptions, "subscriptions received from");
            _subscriptions.Add((queue, subscription));
            Span<byte> entry = _slot[TransactionFormat.NamedAt(TransactionFormat.SubscriptionsOffset, number)];
            BinaryPrimitives.WriteInt32LittleEndian(entry, queue);
            WriteName(entry, subscription);
        }
        return number;
    }

    private static void WriteName(Span<byte> entry, string name)
    {
        entry[TransactionFormat.NameOffset] = (byte)name.Length;
        Encoding.ASCII.GetBytes(name, entry[(TransactionFormat.NameOffset + 1)..]);
    }

    private static void Require(bool isMet, int most, string what)
    {
        if (!isMet)
        {
            throw new InvalidOperationException(
                $"A transaction can have {most} {what} at most. Nothing was committed: roll it back, and do it in smaller ones.");
        }
    }
}
