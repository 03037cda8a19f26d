namespace BlitQueue.Peer.Mixed;

internal sealed partial class MixedWorker<T>
{
    private readonly T?[] _run = new T?[4];
    private T? _taken;

    private SubscriptionOptions Options => new()
    {
        MaxAttempts = (int)arguments.Number("attempts", int.MaxValue),
        VisibilityTimeout = _timeout > 0 ? TimeSpan.FromMilliseconds(_timeout) : null,
    };

    // The object may be shared by the handle's threads.
    private Subscription<T> Subscribe() =>
        _random.Next(2) == 0 ? handle.Subscribe<T>(_name, Options) : _queue.Subscribe(_name, Options);

    // Takes and consumes in one step, in every way that there is.
    private void Consume()
    {
        Subscription<T> subscription = Subscribe();
        while (!IsOver)
        {
            ConsumeSome(subscription, "consume");
        }
    }

    private void ConsumeSome(Subscription<T> subscription, string operation)
    {
        int count = 0;
        bool found = false;
        switch (_random.Next(16))
        {
            case 0:
                using (CancellationTokenSource soon = Soon())
                {
                    found = Try(operation, _name, () => subscription.Dequeue(ref _taken, soon.Token));
                }
                break;
            case 1:
                using (CancellationTokenSource soon = Soon())
                {
                    found = Try(
                        operation, _name, () => _taken = subscription.DequeueAsync(_taken, soon.Token).AsTask().GetAwaiter().GetResult());
                }
                break;
            case < 4:
                Try(operation, _name, () => count = subscription.TryDequeue(_run));
                break;
            case 4:
                Peek(subscription, operation);
                return;
            default:
                Try(operation, _name, () => found = subscription.TryDequeue(ref _taken));
                break;
        }
        if (found)
        {
            _log.Dequeued(_taken!);
        }
        for (int i = 0; i < count; i++)
        {
            _log.Dequeued(_run[i]!);
        }
        if (!found && count == 0)
        {
            RestSometimes(2);
        }
    }

    // Only what is torn is told.
    private void Peek(Subscription<T> subscription, string operation)
    {
        T? seen = null;
        bool found = false;
        if (Try(operation, _name, () => found = subscription.TryPeek(ref seen)) && found && !ParcelBytes.IsIntact(seen!))
        {
            _log.Dequeued(seen!);
        }
    }
}
