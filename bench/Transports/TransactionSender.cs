using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Links;

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
        _message.Stamp(number);
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
