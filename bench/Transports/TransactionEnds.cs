using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>A store of one queue, as one process has it open.</summary>
internal sealed class StoreEnd<T> : IDisposable where T : class, IBenchMessage<T>
{
    public StoreEnd(string place, Durability durability)
    {
        Store = MappedStore.Open(place, new QueueOptions { Durability = durability });
        Queue = Store.OpenQueue<T>("messages", new QueueOptions { Durability = durability });
        Subscription = Queue.Subscribe("default");
    }

    public MappedStore Store { get; }

    public MappedQueue<T> Queue { get; }

    public Subscription<T> Subscription { get; }

    public void Dispose()
    {
        Subscription.Dispose();
        Store.Dispose();
    }
}

/// <summary>Sends 64 messages in each transaction.</summary>
internal struct TransactionSender<T>(string place, int size, Durability durability) : ISender where T : class, IBenchMessage<T>
{
    private const int Batch = 64;

    private readonly StoreEnd<T> _end = new(place, durability);
    private readonly T _message = T.Create(size);
    private QueueTransaction? _open;
    private int _count;

    public void Send(long number)
    {
        _open ??= _end.Store.Begin();
        T.Stamp(_message, number);
        _open.Enqueue(_end.Queue, in _message);
        if (++_count == Batch || number == Numbers.End)
        {
            _open.Commit();
            _open.Dispose();
            _open = null;
            _count = 0;
        }
    }

    public readonly void Dispose() => _end.Dispose();
}

/// <summary>Receives 64 messages in each transaction, into one and the same instance.</summary>
internal struct TransactionReceiver<T>(string place, int size, Durability durability) : IReceiver where T : class, IBenchMessage<T>
{
    private const int Batch = 64;

    private readonly StoreEnd<T> _end = new(place, durability);
    private T? _message = T.Create(size);
    private QueueTransaction? _open;
    private int _count;

    public long Receive()
    {
        _open ??= _end.Store.Begin();
        _open.Receive(_end.Subscription, ref _message);
        long number = T.Check(_message!);
        if (++_count == Batch || number == Numbers.End)
        {
            _open.Commit();
            _open.Dispose();
            _open = null;
            _count = 0;
        }
        return number;
    }

    public readonly void Dispose() => _end.Dispose();
}
