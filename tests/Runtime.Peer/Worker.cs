using System.Diagnostics;

namespace BlitQueue.Peer;

/// <summary>What this process can be told to do to a queue. Each command says "ready" once the queue is open.</summary>
/// <param name="arguments">The command and its options.</param>
/// <param name="inputEnded">Cancelled when the process is told to come to an end.</param>
/// <param name="shared">A handle that other workers of this process use too; null: one of its own.</param>
internal sealed partial class Worker(Arguments arguments, CancellationTokenSource inputEnded, MappedQueue<Parcel>? shared = null)
    : IDisposable
{
    private readonly MappedQueue<Parcel> _queue = shared ?? arguments.Open();
    private readonly SideLog _log = new(arguments.LogPath, arguments.Number("buffered", 0) != 0, arguments.Number("tally", 0) != 0);
    private readonly CancellationTokenSource _inputEnded = inputEnded;
    private readonly int _producer = (int)arguments.Number("producer", 1);
    private readonly int _size = (int)arguments.Number("size", 100);
    private readonly long _count = arguments.Number("count", long.MaxValue);
    private readonly int _batch = (int)arguments.Number("batch", 3);
    // A consumer of the subscription has a time-out, whether this one has or not.
    private readonly bool _mayLose = arguments.Number("mayLose", 0) != 0;
    private readonly long _timeout = arguments.Number("timeout", 0);
    private readonly long _burst = arguments.Number("burst", 0);
    private long _sinceRest;

    public void Run()
    {
        Say("ready");
        Action work = arguments.Command switch
        {
            "produce" => Produce,
            "try" => ProduceAtOnce,
            "batch" => ProduceBatches,
            "consume" => Consume,
            "lease" => Lease,
            "work" => Work,
            "hold" => Hold,
            "subscribe" => SubscribeForAWhile,
            "audit" => Audit,
            "lease-batch" => LeaseBatches,
            "consume-batch" => ConsumeBatches,
            "look" => Look,
            "sort" => Sort,
            "reopen" => Reopen,
            "subscriptions" => MakeSubscriptions,
            "alone" => Alone,
            "anonymous" => MakeAnonymous,
            "express" => OpenAndDelete,
            "crowd" => Crowd,
            "bury" => MoveToDeadLetters,
            "explain" => Explain,
            "requeue" => Requeue,
            "set-aside" => SetAside,
            "hold-letters" => HoldLetters,
            "take-letters" => TakeLetters,
            "produce-async" => () => ProduceAsync().GetAwaiter().GetResult(),
            "consume-async" => () => ConsumeAsync().GetAwaiter().GetResult(),
            "pace" => ProducePaced,
            "properties" => ProduceWithProperties,
            "lanes-consume" => ConsumeLanes,
            "lanes-hold" => HoldLanes,
            "lanes-bury" => MoveToDeadLettersOfLanes,
            "wait-threads" => WaitOnThreads,
            "wait-async" => () => WaitAsync().GetAwaiter().GetResult(),
            _ => throw new ArgumentException($"No command is named {arguments.Command}."),
        };
        work();
    }

    private void SubscribeForAWhile()
    {
        _queue.Subscribe("audit");
        Say("subscribed");
        _queue.DeleteSubscription("audit");
        _queue.Subscribe("brief", new SubscriptionOptions { Ephemeral = true }).Dispose();
    }

    // Consumes nothing, and stays until the input ends, or it is killed.
    private void Audit()
    {
        long expires = arguments.Number("expires", 0);
        using Subscription<Parcel> audit = _queue.Subscribe("audit", new SubscriptionOptions
        {
            Ephemeral = expires == 0 && arguments.Number("stays", 0) == 0,
            ExpiresAfter = expires == 0 ? null : TimeSpan.FromMilliseconds(expires),
        });
        var held = new List<Lease<Parcel>>();
        while (held.Count < arguments.Number("held", 0))
        {
            held.Add(audit.Receive(_inputEnded.Token));
        }
        Say("subscribed");
        _inputEnded.Token.WaitHandle.WaitOne();
    }

    private void MakeAnonymous()
    {
        using var anonymous = MappedQueue<Parcel>.CreateAnonymous();
        Say($"made {anonymous.Path}");
        _inputEnded.Token.WaitHandle.WaitOne();
    }

    private void Produce()
    {
        var parcel = new Parcel();
        for (long number = 0; number < _count && !_inputEnded.IsCancellationRequested; number++)
        {
            parcel.Fill(_producer, number, SizeOf(number));
            _log.Begin();
            _queue.Enqueue(parcel);
            _log.Enqueued(_producer, number);
            Rest();
        }
    }

    // By calls that never wait; says how long the longest took.
    private void ProduceAtOnce()
    {
        var parcel = new Parcel();
        TimeSpan longest = TimeSpan.Zero;
        for (long number = 0; number < _count && !_inputEnded.IsCancellationRequested; number++)
        {
            parcel.Fill(_producer, number, SizeOf(number));
            long began = Stopwatch.GetTimestamp();
            bool enqueued = _queue.TryEnqueue(parcel);
            TimeSpan took = Stopwatch.GetElapsedTime(began);
            longest = took > longest ? took : longest;
            if (!enqueued)
            {
                throw new InvalidOperationException("The queue calls itself full.");
            }
            _log.Enqueued(_producer, number);
        }
        Say($"longest {longest.TotalMilliseconds:0.0} ms");
    }

    private void ProduceBatches()
    {
        Parcel[] parcels = [.. Enumerable.Range(0, _batch).Select(static _ => new Parcel())];
        for (long number = 0; number < _count && !_inputEnded.IsCancellationRequested; number += _batch)
        {
            EnqueueBatch(parcels, number);
            Rest();
        }
    }

    private void EnqueueBatch(Parcel[] parcels, long first)
    {
        for (int i = 0; i < parcels.Length; i++)
        {
            parcels[i].Fill(_producer, first + i, SizeOf(first + i));
        }
        _log.Begin();
        _queue.EnqueueBatch(parcels);
        _log.EnqueuedBatch(_producer, first, parcels.Length);
    }

    // Until the input ends; then takes what is still there.
    private void Consume()
    {
        Subscription<Parcel> subscription = Subscribe();
        Parcel? parcel = null;
        try
        {
            while (true)
            {
                Pause();
                subscription.Dequeue(ref parcel, _inputEnded.Token);
                _log.Dequeued(parcel!);
            }
        }
        catch (OperationCanceledException)
        {
            while (subscription.TryDequeue(ref parcel))
            {
                _log.Dequeued(parcel!);
            }
        }
    }

    private void Lease()
    {
        Subscription<Parcel> subscription = Subscribe();
        Parcel? parcel = null;
        try
        {
            while (true)
            {
                _log.Begin();
                Finish(subscription.Receive(_inputEnded.Token), ref parcel, abandon: false);
            }
        }
        catch (OperationCanceledException)
        {
            while (TryReceive(subscription, out Lease<Parcel> lease))
            {
                Finish(lease, ref parcel, abandon: false);
            }
        }
    }

    // Everything in turn, so that every step of the protocol is reached.
    private void Work()
    {
        Subscription<Parcel> subscription = _queue.Subscribe("default");
        Parcel[] parcels = [.. Enumerable.Range(0, _batch).Select(static _ => new Parcel())];
        Parcel? taken = null;
        long number = 0;
        for (int round = 0; round < _count; round++)
        {
            _queue.Enqueue(parcels[0].Fill(_producer, number, SizeOf(number)));
            _log.Enqueued(_producer, number++);
            if (round % 4 == 1)
            {
                EnqueueBatch(parcels, number);
                number += _batch;
            }
            if (round % 2 == 0 && _queue.TryDequeue(ref taken))
            {
                _log.Dequeued(taken!);
            }
            if (round % 2 == 1 && subscription.TryReceive(out Lease<Parcel> lease))
            {
                Finish(lease, ref taken, abandon: round % 8 == 3);
            }
        }
    }

    private void MoveToDeadLetters()
    {
        Subscription<Parcel> subscription = _queue.Subscribe("default");
        for (long number = 0; number < _count; number++)
        {
            subscription.Receive(_inputEnded.Token).DeadLetter($"number {number}");
        }
    }

    // Gives each message back, as often as it gets it, and says which time it was.
    private void Explain()
    {
        Subscription<Parcel> subscription = _queue.Subscribe("default", new SubscriptionOptions { MaxAttempts = int.MaxValue });
        for (long count = 0; count < _count; count++)
        {
            Lease<Parcel> lease = subscription.Receive(_inputEnded.Token);
            lease.Abandon($"attempt {lease.Attempt}");
        }
        Say("explained");
        _inputEnded.Token.WaitHandle.WaitOne();
    }

    // Each letter in turn, until there is none.
    private void Requeue()
    {
        bool leaves = arguments.Number("leaves", 0) != 0;
        Subscription<Parcel> subscription = _queue.Subscribe(
            arguments.Text("subscription", "default"), new SubscriptionOptions { Ephemeral = leaves });
        DeadLetterQueue<Parcel> letters = subscription.DeadLetters;
        if (leaves)
        {
            subscription.Dispose();
        }
        while (letters.TryReceive(out DeadLetterLease<Parcel> lease))
        {
            lease.Requeue();
            Say("requeued");
        }
    }

    // Makes messages dead letters, and those messages again; consumes none.
    private void SetAside()
    {
        Subscription<Parcel> subscription = Subscribe();
        for (int count = 1; count <= 60 && subscription.TryReceive(out Lease<Parcel> lease); count++)
        {
            lease.DeadLetter("for a while");
            if (count % 4 == 0)
            {
                subscription.DeadLetters.RequeueAll();
            }
        }
    }

    // Takes so many letters and does not end their leases.
    private void HoldLetters()
    {
        DeadLetterQueue<Parcel> letters = _queue.Subscribe("default").DeadLetters;
        for (long count = 0; count < _count; count++)
        {
            Say($"letter {letters.Receive(_inputEnded.Token).Read().Message.Number}");
        }
        Say("holding");
        _inputEnded.Token.WaitHandle.WaitOne();
    }

    private void TakeLetters()
    {
        DeadLetterQueue<Parcel> letters = _queue.Subscribe("default").DeadLetters;
        DeadLetter<Parcel>? letter = null;
        while (letters.TryTake(ref letter))
        {
            Say($"took {letter!.Message.Number}, whole: {letter.Message.IsIntact()}");
        }
    }

    // The only consumer: takes one message, and keeps it until the input ends; more than that where it is killed.
    private void Alone()
    {
        Subscription<Parcel> subscription = _queue.Subscribe("default", new SubscriptionOptions { Exclusive = true });
        Say("alone");
        Parcel? parcel = null;
        using Lease<Parcel> lease = subscription.Receive(_inputEnded.Token);
        lease.ReadInto(ref parcel);
        _log.Leased(parcel!, lease.Attempt);
        Say("holding");
        _inputEnded.Token.WaitHandle.WaitOne();
    }

    // Takes leases without ending them, and waits.
    private void Hold()
    {
        Subscription<Parcel> subscription = _queue.Subscribe("default");
        Parcel? parcel = null;
        var held = new List<Lease<Parcel>>();
        while (held.Count < _count)
        {
            Lease<Parcel> lease = subscription.Receive(_inputEnded.Token);
            held.Add(lease);
            lease.ReadInto(ref parcel);
            _log.Leased(parcel!, lease.Attempt);
        }
        Say("holding");
        _inputEnded.Token.WaitHandle.WaitOne();
    }

    // Sizes vary, so that records end at every distance from a segment's end.
    private int SizeOf(long number) => _size <= 16 ? _size : _size + (int)(number * 7 % _size);

    private static void Say(string line)
    {
        Console.Out.WriteLine(line);
        Console.Out.Flush();
    }

    public void Dispose()
    {
        _log.Dispose();
        if (shared is null)
        {
            _queue.Dispose();
        }
    }
}
