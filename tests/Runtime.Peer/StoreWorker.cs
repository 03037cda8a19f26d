namespace BlitQueue.Peer;

/// <summary>
/// What this process can be told to do to a store: the directory that the queue it was told of stands in. Each command says "ready" once
/// the queues are open.
/// </summary>
internal sealed class StoreWorker(Arguments arguments) : IDisposable
{
    /// <summary>What the names of the commands begin with.</summary>
    public const string Prefix = "store-";

    // Deaths count as attempts, and there are many.
    private static readonly SubscriptionOptions Patient = new() { MaxAttempts = int.MaxValue };

    private readonly MappedStore _store = MappedStore.Open(
        Path.GetDirectoryName(arguments.Directory)!,
        new QueueOptions
        {
            SegmentSize = 1 << 16,
            UseChecksums = true,
            StallTimeout = TimeSpan.FromMilliseconds(arguments.Number("stall", 10_000)),
            Durability = arguments.Number("durable", 0) != 0 ? Durability.Commit : Durability.PageCache,
        });

    private readonly CancellationTokenSource _inputEnded = new();
    private readonly long _count = arguments.Number("count", long.MaxValue);
    private readonly int _batch = (int)arguments.Number("batch", 1);

    public void Run()
    {
        MappedQueue<Parcel>[] to = [.. arguments.Text("to").Split(',').Select(name => _store.OpenQueue<Parcel>(name))];
        new Thread(WatchInput) { IsBackground = true }.Start();
        switch (arguments.Command[Prefix.Length..])
        {
            case "transfer":
                Transfer(_store.OpenQueue<Parcel>(Path.GetFileName(arguments.Directory)).Subscribe("default", Patient), to);
                break;
            case "send":
                Send(to);
                break;
            default:
                throw new ArgumentException($"No command is named {arguments.Command}.");
        }
    }

    // Until the input ends; then what is still there.
    private void Transfer(Subscription<Parcel> from, MappedQueue<Parcel>[] to)
    {
        Parcel? parcel = null;
        Say("ready");
        for (long number = 1; number <= _count; number++)
        {
            using QueueTransaction transaction = _store.Begin();
            if (!TryReceive(transaction, from, ref parcel))
            {
                return;
            }
            transaction.EnqueueToAll(parcel!, to);
            for (int more = 1; more < _batch && transaction.TryReceive(from, ref parcel); more++)
            {
                transaction.EnqueueToAll(parcel!, to);
            }
            if (number % 8 != 0)
            {
                transaction.Commit();
            }
        }
    }

    private bool TryReceive(QueueTransaction transaction, Subscription<Parcel> from, ref Parcel? parcel)
    {
        try
        {
            transaction.Receive(from, ref parcel, _inputEnded.Token);
            return true;
        }
        catch (OperationCanceledException)
        {
            return transaction.TryReceive(from, ref parcel);
        }
    }

    private void Send(MappedQueue<Parcel>[] to)
    {
        Say("ready");
        for (long number = 0; number < _count && !_inputEnded.IsCancellationRequested; number++)
        {
            using QueueTransaction transaction = _store.Begin();
            transaction.EnqueueToAll(new Parcel().Fill((int)arguments.Number("producer", 1), number, 100), to);
            transaction.Commit();
        }
    }

    private void WatchInput()
    {
        while (Console.In.Read() >= 0)
        {
        }
        _inputEnded.Cancel();
    }

    private static void Say(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }

    public void Dispose()
    {
        _store.Dispose();
        _inputEnded.Dispose();
    }
}
