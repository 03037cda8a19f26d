using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

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
        long number = _message!.Check();
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
