using BlitQueue.Log;

namespace BlitQueue;

/// <summary>
/// Queues of one message type in one directory, the most urgent first: what is enqueued to a more urgent
/// lane overtakes what waits in the others.
/// </summary>
/// <typeparam name="T">A message: a partial type with <see cref="QueueMessageAttribute"/>.</typeparam>
/// <remarks>
/// May be used from any thread. Within a lane messages keep their order. A subscription takes from a lane only while every more urgent one
/// has nothing for it; so messages of the last lane may wait for as long as others keep coming. Each lane is an ordinary queue with its own
/// files, capacity and status.
/// </remarks>
/// <example>
/// <code>
/// using var orders = MappedLanes&lt;Order&gt;.Open("orders", lanes: 3);
/// orders.Enqueue(in order, lane: 0);                                    // before everything in lanes 1 and 2
///
/// using LaneSubscription&lt;Order&gt; billing = orders.Subscribe("billing");
/// Order? next = null;
/// while (billing.TryDequeue(ref next)) Bill(next!);
/// </code>
/// </example>
public sealed class MappedLanes<T> : IDisposable, IAsyncDisposable
    where T : IPackable<T>
{
    private const int UsualCount = 3;

    private readonly MappedQueue<T>[] _lanes;
    private readonly QueueOptions _options;

    private MappedLanes(string path, MappedQueue<T>[] lanes, QueueOptions options)
    {
        Path = path;
        _lanes = lanes;
        _options = options;
    }

    /// <summary>The directory that the lanes are in, absolute.</summary>
    public string Path { get; }

    /// <summary>How many lanes there are.</summary>
    public int Count => _lanes.Length;

    /// <summary>A lane as the queue that it is: to enqueue to it in every way that a queue has, and for its status.</summary>
    /// <param name="lane">0, the most urgent, to <see cref="Count"/> - 1.</param>
    /// <exception cref="ArgumentOutOfRangeException">There is no such lane.</exception>
    public MappedQueue<T> this[int lane] => (uint)lane < (uint)_lanes.Length
        ? _lanes[lane]
        : throw new ArgumentOutOfRangeException(
            nameof(lane), lane, $"There are {_lanes.Length} lanes: 0 is the most urgent, {_lanes.Length - 1} the least.");

    /// <summary>Joins the lanes in a directory, making all where they do not exist.</summary>
    /// <param name="path">The directory: one of lanes, empty, or not there yet.</param>
    /// <param name="lanes">1 to 64. null joins as many as there are, and makes 3.</param>
    /// <param name="options">Those of each lane, its <see cref="QueueOptions.Capacity"/> for instance; null: the defaults.</param>
    /// <param name="cancellationToken">
    /// Ends the wait for a process that is opening, making or deleting a lane. Lanes that were made before stay; the next opening makes the
    /// others.
    /// </param>
    /// <exception cref="OperationCanceledException">The token was cancelled; no lane is open.</exception>
    /// <exception cref="ArgumentException">
    /// There is another number of lanes, or an option is out of range or differs from what they were made with.
    /// </exception>
    /// <exception cref="QueueException">As <see cref="MappedQueue{T}.Open"/>; or the directory is a queue.</exception>
    public static MappedLanes<T> Open(
        string path, int? lanes = null, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        if (lanes is < 1 or > LanesMeta.Most)
        {
            throw new ArgumentOutOfRangeException(nameof(lanes), lanes, $"There may be 1 to {LanesMeta.Most} lanes.");
        }
        options = QueueOptions.Validated(options);
        (string directory, int count) = QueueMeter.CountingDamage(
            path, () => LanesMeta.Join(
                path, lanes, UsualCount, options.FileMode, new Patience(options.StallTimeout, cancellationToken)));
        var open = new List<MappedQueue<T>>();
        try
        {
            while (open.Count < count)
            {
                string lane = System.IO.Path.Combine(directory, LanesMeta.LaneName(open.Count));
                open.Add(MappedQueue<T>.Open(lane, options, cancellationToken));
            }
            return new MappedLanes<T>(directory, [.. open], options);
        }
        catch
        {
            open.ForEach(static lane => lane.Dispose());
            throw;
        }
    }

    /// <summary>Appends a message to a lane; as <see cref="MappedQueue{T}.Enqueue(in T, CancellationToken)"/>.</summary>
    /// <param name="message">The message.</param>
    /// <param name="lane">0, the most urgent, to <see cref="Count"/> - 1.</param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing was enqueued then.</param>
    /// <returns>Where the message stands in its lane.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such lane.</exception>
    public QueuePosition Enqueue(in T message, int lane, CancellationToken cancellationToken = default) =>
        this[lane].Enqueue(in message, cancellationToken);

    /// <summary>
    /// Appends a message with properties to a lane; as <see cref="MappedQueue{T}.Enqueue(in T, MessageProperties, CancellationToken)"/>.
    /// </summary>
    /// <param name="message">The message.</param>
    /// <param name="lane">0, the most urgent, to <see cref="Count"/> - 1.</param>
    /// <param name="properties">What stands beside it.</param>
    /// <param name="cancellationToken">Ends the waits for room and for the append lock; nothing was enqueued then.</param>
    /// <returns>Where the message stands in its lane.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such lane.</exception>
    public QueuePosition Enqueue(
        in T message, int lane, MessageProperties properties, CancellationToken cancellationToken = default) =>
        this[lane].Enqueue(in message, properties, cancellationToken);

    /// <summary>Appends a message to a lane without waiting for room; as <see cref="MappedQueue{T}.TryEnqueue(in T)"/>.</summary>
    /// <param name="message">The message.</param>
    /// <param name="lane">0, the most urgent, to <see cref="Count"/> - 1.</param>
    /// <returns>false when the lane is full: nothing was enqueued.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such lane.</exception>
    public bool TryEnqueue(in T message, int lane) => this[lane].TryEnqueue(in message);

    /// <summary>Appends a message to a lane; as <see cref="MappedQueue{T}.EnqueueAsync(T, CancellationToken)"/>.</summary>
    /// <param name="message">The message; packed before the call returns.</param>
    /// <param name="lane">0, the most urgent, to <see cref="Count"/> - 1.</param>
    /// <param name="cancellationToken">Ends the wait; nothing was enqueued then.</param>
    /// <returns>Where the message stands in its lane.</returns>
    /// <exception cref="ArgumentOutOfRangeException">There is no such lane.</exception>
    public ValueTask<QueuePosition> EnqueueAsync(T message, int lane, CancellationToken cancellationToken = default) =>
        this[lane].EnqueueAsync(message, cancellationToken);

    /// <summary>The consumer side of one subscription of all lanes, made where there is none of the name, lane by lane.</summary>
    /// <param name="name">As for <see cref="MappedQueue{T}.Subscribe"/>; <c>default</c> is there from the beginning.</param>
    /// <param name="options">null: the defaults.</param>
    /// <exception cref="ArgumentException">The name cannot be one, or an option is out of range.</exception>
    /// <param name="cancellationToken">
    /// Ends the wait for a process that is making or deleting a subscription. Where some lanes had it made, they have it.
    /// </param>
    /// <exception cref="OperationCanceledException">The token was cancelled.</exception>
    /// <exception cref="QueueException">As <see cref="MappedQueue{T}.Subscribe"/>.</exception>
    /// <exception cref="ObjectDisposedException">The lanes were disposed.</exception>
    public LaneSubscription<T> Subscribe(string name, SubscriptionOptions? options = null, CancellationToken cancellationToken = default)
    {
        var subscribed = new List<Subscription<T>>();
        try
        {
            foreach (MappedQueue<T> lane in _lanes)
            {
                subscribed.Add(lane.Subscribe(name, options, cancellationToken));
            }
            return new LaneSubscription<T>(name, [.. subscribed], _options.SpinDuration);
        }
        catch
        {
            subscribed.ForEach(static one => one.Dispose());
            throw;
        }
    }

    /// <summary>Deletes a subscription of all lanes; as <see cref="MappedQueue{T}.DeleteSubscription"/>.</summary>
    /// <param name="name">The subscription's name.</param>
    /// <param name="cancellationToken">Ends the wait for a process that is making or deleting a subscription.</param>
    /// <returns>false when no lane has one of this name.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; less urgent lanes may have it still.</exception>
    /// <inheritdoc cref="MappedQueue{T}.DeleteSubscription" path="/exception[position()&gt;1]"/>
    public bool DeleteSubscription(string name, CancellationToken cancellationToken = default) =>
        _lanes.Count(lane => lane.DeleteSubscription(name, cancellationToken)) > 0;

    /// <summary>Disposes every lane; as <see cref="MappedQueue{T}.Dispose"/>.</summary>
    public void Dispose() => Array.ForEach(_lanes, static lane => lane.Dispose());

    /// <summary>Disposes every lane; as <see cref="MappedQueue{T}.DisposeAsync"/>.</summary>
    public ValueTask DisposeAsync() => new(Task.Run(Dispose));
}
