namespace BlitQueue.Peer.Mixed;

internal sealed partial class MixedWorker<T>
{
    private const int RollingBatch = 40, RollingSize = 3000, LargeSize = 70_000;

    private readonly int _producer = (int)arguments.Number("producer", 1);
    private readonly MessageProperties _properties = new() { Label = "mixed", Headers = { ["tenant"] = "acme" } };
    private readonly T _message = new();
    private long _number;

    // Until its time is over, in every way that there is to enqueue. A number is used again where nothing was enqueued.
    private void Produce()
    {
        int rest = 5 + _random.Next(40);
        for (long end = arguments.Number("until", 0); !IsAfter(end) && !IsOver; RestSometimes(rest))
        {
            ProduceSome();
        }
    }

    private void ProduceSome()
    {
        int size = _random.Next(3) == 0 ? 16 : _random.Next(1500);
        switch (_random.Next(32))
        {
            case 0:
                ProduceBatch(RollingBatch, RollingSize);
                break;
            case 1:
                ProduceOne(LargeSize + _random.Next(LargeSize), message => _queue.Enqueue(message));
                break;
            case < 6:
                ProduceBatch(2 + _random.Next(6), size);
                break;
            case < 10:
                ProduceOne(size, message => _queue.Enqueue(message, _properties));
                break;
            case < 13:
                using (CancellationTokenSource soon = Soon())
                {
                    ProduceOne(size, message => _queue.EnqueueAsync(message, soon.Token).AsTask().GetAwaiter().GetResult());
                }
                break;
            case < 20:
                TryProduceOne(size);
                break;
            default:
                ProduceOne(size, message => _queue.Enqueue(message));
                break;
        }
    }

    private void ProduceOne(int size, Action<T> enqueue)
    {
        ParcelBytes.Fill(_message, _producer, _number, size);
        if (Try("produce", "-", () => enqueue(_message)))
        {
            _log.Enqueued(_producer, _number++);
        }
    }

    private void TryProduceOne(int size)
    {
        ParcelBytes.Fill(_message, _producer, _number, size);
        bool enqueued = false;
        if (!Try("produce", "-", () => enqueued = _queue.TryEnqueue(_message)))
        {
            return;
        }
        if (enqueued)
        {
            _log.Enqueued(_producer, _number++);
        }
        else
        {
            _log.Happened('F', "-");
        }
    }

    private void ProduceBatch(int count, int size)
    {
        T[] batch = [.. Enumerable.Range(0, count).Select(i => ParcelBytes.Fill(new T(), _producer, _number + i, size))];
        if (Try("produce", "-", () => _queue.EnqueueBatch(batch)))
        {
            _log.EnqueuedBatch(_producer, _number, count);
            _number += count;
        }
    }
}
