using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>A store of one queue, as one process has it open, and the transaction that goes on there.</summary>
internal sealed class StoreEnd<T> : IDisposable where T : class, IBenchMessage<T>
{
    private const int Batch = 64;

    private readonly MappedStore _store;
    private QueueTransaction? _transaction;
    private int _count;

    public StoreEnd(string path, Durability durability)
    {
        _store = MappedStore.Open(path, new QueueOptions { Durability = durability });
        Queue = _store.OpenQueue<T>("messages", new QueueOptions { Durability = durability });
        Subscription = Queue.Subscribe("default");
    }

    public MappedQueue<T> Queue { get; }

    public Subscription<T> Subscription { get; }

    /// <summary>Begun when first asked for.</summary>
    public QueueTransaction Transaction => _transaction ??= _store.Begin();

    /// <summary>Commits behind each 64th message, and behind the end.</summary>
    public void CommitBehind(long number)
    {
        if (++_count == Batch || number == Numbers.End)
        {
            _transaction!.Commit();
            _transaction.Dispose();
            _transaction = null;
            _count = 0;
        }
    }

    public void Dispose()
    {
        Subscription.Dispose();
        _store.Dispose();
    }
}

/// <summary>Sends 64 messages in each transaction.</summary>
internal readonly struct TransactionSender<T>(string path, int size, Durability durability) : ISender where T : class, IBenchMessage<T>
{
    private readonly StoreEnd<T> _end = new(path, durability);
    private readonly T _message = T.Create(size);

    public void Send(long number)
    {
        T.Stamp(_message, number);
        _end.Transaction.Enqueue(_end.Queue, in _message);
        _end.CommitBehind(number);
    }

    public void Dispose() => _end.Dispose();
}

/// <summary>Receives 64 messages in each transaction, into one and the same instance.</summary>
internal struct TransactionReceiver<T>(string path, int size, Durability durability) : IReceiver where T : class, IBenchMessage<T>
{
    private readonly StoreEnd<T> _end = new(path, durability);
    private T? _message = T.Create(size);

    public long Receive()
    {
        _end.Transaction.Receive(_end.Subscription, ref _message);
        long number = T.Check(_message!);
        _end.CommitBehind(number);
        return number;
    }

    public readonly void Dispose() => _end.Dispose();
}
