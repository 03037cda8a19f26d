namespace BlitQueue.Log;

/// <summary>
/// The file <c>store.transactions</c>, which makes the directory above queues a store. It begins like a queue's control file
/// (<see cref="ControlFormat"/>): its lock is the right to commit, its tail the number of the last transaction that was committed. Then
/// follows the slot of the transaction that is being committed:
/// <code>
/// offset  size
///      0     8  decided: the transaction's number, the commit point; 0 = none
///      8     8  check: over what follows, up to the last lease
///     16     4  1 = what the entries name was on the disk before the transaction was decided
///     24     4  number of queues, then as many bytes each: of subscriptions, of outputs, of leases
///     64        queues, 128 bytes each: queue id (16), name (1 + 100, ASCII)
///   8256        subscriptions, 128 bytes each: number of its queue (4), at 16 its name (1 + 100)
///  16448        outputs, 32 bytes each: number of the queue (4), at 8 the position of the first record, its header, the position behind
///  18496        leases, 32 bytes each: number of the subscription (4), cell (4), its message word (8)
/// </code>
/// </summary>
internal static class TransactionFormat
{
    /// <summary>The beginning of the names of a store's own files; no queue's name begins with it.</summary>
    public const string Prefix = "store.";

    public const string FileName = Prefix + "transactions", LockName = Prefix + "lock";

    /// <summary>
    /// The name of the copy of a store's file that was made when a queue of this name could not carry out its part of a transaction.
    /// </summary>
    public static string OwedName(string queue) => $"{Prefix}owed.{queue}";

    /// <summary>The most that one transaction can name.</summary>
    public const int MostQueues = 64, MostSubscriptions = 64, MostOutputs = 64, MostLeases = 4096;

    /// <summary>Offsets in the file.</summary>
    public const int SlotOffset = ControlFormat.Size;

    /// <summary>Offsets in the slot.</summary>
    public const int DecidedOffset = 0, CheckOffset = 8, DurableOffset = 16;

    public const int QueueCountOffset = 24, SubscriptionCountOffset = 28, OutputCountOffset = 32, LeaseCountOffset = 36;
    public const int QueuesOffset = 64, NamedSize = 128, NameOffset = 16;
    public const int SubscriptionsOffset = QueuesOffset + (NamedSize * MostQueues);
    public const int OutputsOffset = SubscriptionsOffset + (NamedSize * MostSubscriptions), OutputSize = 32;
    public const int LeasesOffset = OutputsOffset + (OutputSize * MostOutputs), LeaseSize = 32;
    public const int SlotSize = LeasesOffset + (LeaseSize * MostLeases);

    private const int PageSize = 4096;

    public const int Size = (SlotOffset + SlotSize + PageSize - 1) / PageSize * PageSize;

    /// <summary>Where an output's entry is in the slot, by its number.</summary>
    public static Range OutputAt(int number) => Entry(OutputsOffset, OutputSize, number);

    /// <summary>The same for a lease that ends.</summary>
    public static Range LeaseAt(int number) => Entry(LeasesOffset, LeaseSize, number);

    /// <summary>The same for a queue or a subscription, in the table that begins at an offset.</summary>
    public static Range NamedAt(int tableOffset, int number) => Entry(tableOffset, NamedSize, number);

    private static Range Entry(int tableOffset, int size, int number)
        => (tableOffset + (size * number))..(tableOffset + (size * (number + 1)));
}
