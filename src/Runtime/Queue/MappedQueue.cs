using System.Runtime.CompilerServices;
using BlitQueue.Memory;
using BlitQueue.Segments;

namespace BlitQueue;

/// <summary>
/// A typed queue in a directory. Any number of processes and threads enqueue and dequeue; what was enqueued is kept when any of them is
/// killed.
/// </summary>
/// <typeparam name="T">A message: a partial type with <see cref="QueueMessageAttribute"/>.</typeparam>
/// <remarks>
/// Instances may be used from any thread. One per process and directory is enough. Messages come out in the order in which they were
/// enqueued; several consumers compete for them, and each gets every message that no other got.
/// </remarks>
/// <example>
/// <code>
/// using var orders = MappedQueue&lt;Order&gt;.Open("orders");   // a directory; made when absent, joined when another process has it
/// orders.Enqueue(in order);                                   // packed straight into the mapped file
///
/// Order? next = null;
/// while (orders.TryDequeue(ref next)) Handle(next!);          // unpacked into the same instance
/// </code>
/// </example>
public sealed partial class MappedQueue<T> : IDisposable
    where T : IPackable<T>
{
    private readonly QueueStore _store;
    private readonly Producer<T> _producer;
    private readonly Subscription<T> _default;

    private MappedQueue(QueueStore store, QueueOptions options)
    {
        _store = store;
        _producer = new Producer<T>(store, options);
        _default = new Subscription<T>(store, options, StoreMaker.DefaultSubscription);
    }

    /// <summary>The queue's directory, absolute.</summary>
    public string Path => _store.Files.Directory;

    /// <summary>Joins the queue in a directory, making both where they do not exist.</summary>
    /// <param name="path">The directory: a queue's, empty, or not there yet.</param>
    /// <param name="options">null: the defaults.</param>
    /// <exception cref="QueueException">
    /// The path is a file, holds other files, gives no rights, or has a newer format; the message says which, and what to do.
    /// </exception>
    /// <exception cref="SchemaMismatchException">The directory holds another message type.</exception>
    /// <exception cref="QueueFullException">The disk has no room for the first segment. Nothing stays behind.</exception>
    /// <exception cref="QueueCorruptException">The directory holds what cannot be a queue's.</exception>
    /// <exception cref="ArgumentException">An option is out of range, or differs from what the queue was made with.</exception>
    public static MappedQueue<T> Open(string path, QueueOptions? options = null)
    {
        options ??= new QueueOptions();
        options.Validate();
        var store = QueueStore.Open(path, new StoreOptions
        {
            SegmentSize = options.SegmentSize,
            Checksum = options.Checksum,
            FileMode = options.FileMode,
            Patience = options.StallTimeout,
            Schema = T.Schema,
        });
        return new MappedQueue<T>(store, options);
    }

    /// <summary>Appends a message. When this returns, every process sees it, whole; if it throws, none ever does.</summary>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="QueueFullException">No room on the disk, or within the capacity where <see cref="FullMode.Fail"/> is chosen.</exception>
    /// <exception cref="QueueStalledException">A process that does not run has held the turn for <see cref="QueueOptions.StallTimeout"/>.</exception>
    /// <exception cref="ArgumentException">The message is longer than <see cref="QueueOptions.MaxMessageSize"/> or the capacity.</exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Enqueue(in T message) => _producer.Enqueue(in message);

    /// <summary>Like <see cref="Enqueue"/>, but never waits for room.</summary>
    /// <returns>false when the queue is full: nothing was enqueued.</returns>
    /// <exception cref="QueueStalledException">A process that does not run holds the turn; thrown after at most 50 ms.</exception>
    /// <exception cref="ArgumentNullException">null is not a message.</exception>
    /// <exception cref="ArgumentException">The message is longer than <see cref="QueueOptions.MaxMessageSize"/> or the capacity.</exception>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryEnqueue(in T message) => _producer.TryEnqueue(in message);

    /// <summary>Appends messages that become visible together, or not at all, whatever dies when.</summary>
    /// <param name="messages">Any number; none does nothing.</param>
    /// <exception cref="ArgumentNullException">One is null; none was enqueued.</exception>
    /// <exception cref="QueueFullException">As for <see cref="Enqueue"/>.</exception>
    /// <exception cref="QueueStalledException">As for <see cref="Enqueue"/>.</exception>
    /// <exception cref="ArgumentException">
    /// A message is longer than <see cref="QueueOptions.MaxMessageSize"/>, or all together are longer than the capacity or than 2 GiB.
    /// </exception>
    /// <exception cref="PackException">One cannot be packed; none was enqueued.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void EnqueueBatch(ReadOnlySpan<T> messages) => _producer.EnqueueBatch(messages);

    /// <summary>Takes the next message of the default subscription, if there is one. Never waits.</summary>
    /// <param name="message">
    /// An instance to fill, or null to get a new one. Where false is returned its content may have changed: another consumer may have
    /// been faster.
    /// </param>
    /// <returns>false when the queue is empty.</returns>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryDequeue(ref T? message) => _default.TryDequeue(ref message);

    /// <summary>Takes the next message of the default subscription, waiting until there is one: spins, then sleeps in the kernel.</summary>
    /// <param name="message">An instance to fill, or null to get a new one.</param>
    /// <param name="ct">Ends the wait.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public void Dequeue(ref T? message, CancellationToken ct = default) => _default.Dequeue(ref message, ct);

    /// <summary>Steps over the next message of the default subscription if it is damaged.</summary>
    /// <returns>false when it is not, or when there is none.</returns>
    /// <exception cref="QueueCorruptException">The damage hides where the next message starts.</exception>
    public bool SkipCorrupt() => _default.SkipCorrupt();

    /// <summary>A subscription's consumer side. The default one, named <c>default</c>, exists from the queue's creation.</summary>
    /// <param name="name">The subscription's name.</param>
    /// <exception cref="QueueException">There is no subscription of that name.</exception>
    public Subscription<T> Subscribe(string name) => new(_store, _producer.Options, name);

    /// <summary>
    /// Gives back descriptors and mappings, at once or when the last call that is running on another thread ends; waiting calls end with
    /// <see cref="ObjectDisposedException"/>. Leases of this handle go to other consumers.
    /// </summary>
    public void Dispose()
    {
        _store.Dispose();
    }
}
