namespace BlitQueue.Log;

/// <summary>Reads the entries from a copy of a slot. It checks every value before it uses it: the bytes may be damaged.</summary>
internal readonly ref struct TransactionReader(ReadOnlySpan<byte> slot, string path)
{
    private readonly ReadOnlySpan<byte> _slot = slot;

    /// <summary>
    /// Whether all that the entries name was on the disk before the transaction was decided, and the slot's check agrees.
    /// </summary>
    public static bool IsDurable(ReadOnlySpan<byte> slot, long number)
    {
        int leases = Count(slot, TransactionFormat.LeaseCountOffset);
        return SaysDurable(slot)
            && (uint)leases <= TransactionFormat.MostLeases
            && BinaryPrimitives.ReadInt64LittleEndian(slot[TransactionFormat.CheckOffset..])
                == Check(slot[..(TransactionFormat.LeasesOffset + (TransactionFormat.LeaseSize * leases))], number);
    }

    /// <summary>The check over the used bytes of a slot.</summary>
    public static long Check(ReadOnlySpan<byte> used, long number) =>
        RecordCheck.Compute((ulong)TransactionFormat.SlotSize, number, RecordKind.Batch, used[TransactionFormat.DurableOffset..]);

    /// <exception cref="QueueCorruptException">The entries are such that no transaction can have them.</exception>
    public DecidedTransaction Read(long number)
    {
        var outputs = new DecidedOutput[Checked(Count(_slot, TransactionFormat.OutputCountOffset), TransactionFormat.MostOutputs)];
        for (int i = 0; i < outputs.Length; i++)
        {
            ReadOnlySpan<byte> entry = _slot[TransactionFormat.OutputAt(i)];
            (string name, Guid id) = Queue(BinaryPrimitives.ReadInt32LittleEndian(entry));
            outputs[i] = new DecidedOutput(
                name, id, BinaryPrimitives.ReadInt64LittleEndian(entry[8..]), BinaryPrimitives.ReadInt64LittleEndian(entry[16..]),
                BinaryPrimitives.ReadInt64LittleEndian(entry[24..]));
        }
        return new DecidedTransaction(number, SaysDurable(_slot), outputs, ReadLeases());
    }

    private DecidedLease[] ReadLeases()
    {
        var subscriptions = new (string Queue, Guid Id, string Name)[
            Checked(Count(_slot, TransactionFormat.SubscriptionCountOffset), TransactionFormat.MostSubscriptions)];
        for (int i = 0; i < subscriptions.Length; i++)
        {
            ReadOnlySpan<byte> entry = Named(TransactionFormat.SubscriptionsOffset, i);
            (string queue, Guid id) = Queue(BinaryPrimitives.ReadInt32LittleEndian(entry));
            subscriptions[i] = (queue, id, Name(entry, static name => QueueName.CheckSubscription(name)));
        }
        var leases = new DecidedLease[Checked(Count(_slot, TransactionFormat.LeaseCountOffset), TransactionFormat.MostLeases)];
        for (int i = 0; i < leases.Length; i++)
        {
            ReadOnlySpan<byte> entry = _slot[TransactionFormat.LeaseAt(i)];
            int number = Below(BinaryPrimitives.ReadInt32LittleEndian(entry), subscriptions.Length);
            (string queue, Guid id, string name) = subscriptions[number];
            leases[i] = new DecidedLease(
                queue, id, name, Below(BinaryPrimitives.ReadInt32LittleEndian(entry[4..]), SubscriptionFormat.Cells + 1),
                BinaryPrimitives.ReadInt64LittleEndian(entry[8..]));
        }
        return leases;
    }

    private (string Name, Guid Id) Queue(int number)
    {
        int queues = Checked(Count(_slot, TransactionFormat.QueueCountOffset), TransactionFormat.MostQueues);
        ReadOnlySpan<byte> entry = Named(TransactionFormat.QueuesOffset, Below(number, queues));
        return (Name(entry, QueueName.Check), new Guid(entry[..16]));
    }

    private ReadOnlySpan<byte> Named(int tableOffset, int number) => _slot[TransactionFormat.NamedAt(tableOffset, number)];

    private string Name(ReadOnlySpan<byte> entry, Action<string> check)
    {
        int length = Below(entry[TransactionFormat.NameOffset], TransactionFormat.NamedSize - TransactionFormat.NameOffset);
        string name = Encoding.ASCII.GetString(entry.Slice(TransactionFormat.NameOffset + 1, length));
        try
        {
            check(name);
            return name;
        }
        catch (ArgumentException)
        {
            throw Damaged();
        }
    }

    private static bool SaysDurable(ReadOnlySpan<byte> slot) =>
        BinaryPrimitives.ReadInt32LittleEndian(slot[TransactionFormat.DurableOffset..]) == 1;

    private static int Count(ReadOnlySpan<byte> slot, int offset) => BinaryPrimitives.ReadInt32LittleEndian(slot[offset..]);

    private int Checked(int count, int most) => Below(count, most + 1);

    private int Below(int number, int limit) => (uint)number < (uint)limit ? number : throw Damaged();

    private QueueCorruptException Damaged() => new(
        path, TransactionFormat.SlotOffset,
        "it names a committed transaction whose entries cannot be. MappedQueue.Repair(path), with the path of the store, sets the file "
        + "aside when no process has the store open; the transaction may be found in some of its queues and not in others then "
        + "(docs/repair.md).");
}
