using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// A directory of queues over which transactions are committed: what a transaction receives from some of them and sends to others happens
/// as a whole or not at all, even if a process is killed in the middle.
/// </summary>
/// <remarks>
/// Each queue is a directory of its own in the store's, and is a queue like any other: it may also be opened by
/// <see cref="MappedQueue{T}.Open"/>, for what needs no transaction. Instances may be used from any thread. One per process is enough.
/// </remarks>
/// <example>
/// <code>
/// using var shop = MappedStore.Open("shop");
/// MappedQueue&lt;Order&gt; orders = shop.OpenQueue&lt;Order&gt;("orders");
/// MappedQueue&lt;Invoice&gt; invoices = shop.OpenQueue&lt;Invoice&gt;("invoices");
///
/// Order? order = null;
/// using QueueTransaction transaction = shop.Begin();
/// if (transaction.TryReceive(orders, ref order))
/// {
///     transaction.Enqueue(invoices, Bill(order!));
///     transaction.Commit();                            // both, or neither
/// }
/// </code>
/// </example>
public sealed class MappedStore : IDisposable, IAsyncDisposable
{
    private readonly TransactionStore _store;
    private readonly QueueOptions _options;
    private readonly Lock _sync = new();
    private readonly List<IDisposable> _queues = [];
    private bool _disposed;

    private MappedStore(TransactionStore store, QueueOptions options)
    {
        _store = store;
        _options = options;
    }

    /// <summary>The store's directory, absolute.</summary>
    public string Path => _store.Directory;

    /// <summary>Joins the store in a directory, making both where they do not exist.</summary>
    /// <param name="path">A directory: not there yet, or one that holds queues, or anything that is no queue itself.</param>
    /// <param name="options">
    /// What its queues are opened with unless told otherwise; <see cref="QueueOptions.FileMode"/> and
    /// <see cref="QueueOptions.StallTimeout"/> hold for the store's own files too, and <see cref="Durability.Commit"/> makes all its
    /// transactions durable. null: the defaults.
    /// </param>
    /// <param name="cancellationToken">Ends the wait for a process that is opening the store.</param>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    /// <exception cref="QueueException">The path is a file, is itself a queue, or gives no rights.</exception>
    /// <exception cref="QueueFullException">The disk has no room for the store's file (some 220 KB).</exception>
    /// <exception cref="QueueException">
    /// A process that does not run has been opening the store for <see cref="QueueOptions.StallTimeout"/>.
    /// </exception>
    /// <exception cref="ArgumentException">An option is out of range.</exception>
    public static MappedStore Open(string path, QueueOptions? options = null, CancellationToken cancellationToken = default)
    {
        ArgumentException.ThrowIfNullOrWhiteSpace(path);
        options = QueueOptions.Validated(options);
        Patience patience = new(options.StallTimeout, cancellationToken);
        return QueueMeter.CountingDamage(
            path, () => new MappedStore(TransactionStore.Open(path, options.FileMode, patience, make: true), options));
    }

    /// <summary>Joins the queue of a name, making it where there is none. It is disposed with the store, or before.</summary>
    /// <typeparam name="T">A message.</typeparam>
    /// <param name="name">The directory's name: 1 to 100 letters, digits, '-', '_' and '.', the last not at the ends.</param>
    /// <param name="options">null: those of the store.</param>
    /// <param name="cancellationToken">
    /// Ends the wait for a process that is opening, making or deleting the queue. Once this call opens it, the token is not looked at.
    /// </param>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made or changed.</exception>
    /// <exception cref="ArgumentException">The name cannot be one; or as <see cref="MappedQueue{T}.Open"/>.</exception>
    /// <exception cref="QueueException">
    /// As <see cref="MappedQueue{T}.Open"/>; or the name is that of a link to another directory.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The store was disposed.</exception>
    public MappedQueue<T> OpenQueue<T>(string name, QueueOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        QueueName.Check(name);
        string path = System.IO.Path.Combine(Path, name);
        if (new DirectoryInfo(path).LinkTarget is { } target)
        {
            throw new QueueException(
                $"{path} is a link to {target}. A store's queues stand in its own directory, where others look for its transactions: "
                + "move the queue there, or open the directory above it as the store.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
        // Another thread may wait for a queue.
        _sync.Enter(cancellationToken);
        try
        {
            ThrowIfDisposed();
            var queue = MappedQueue<T>.Open(path, options ?? _options, cancellationToken);
            _queues.Add(queue);
            using CallGate.Call call = queue.Store.Gate.Enter();
            queue.Store.Transactions.Join(_store, queue.Store.Subscriptions);
            return queue;
        }
        finally
        {
            _sync.Exit();
        }
    }

    /// <summary>Begins a transaction. Dispose it: what it received and did not commit is given back then.</summary>
    /// <exception cref="ObjectDisposedException">The store was disposed.</exception>
    public QueueTransaction Begin()
    {
        ThrowIfDisposed();
        return new QueueTransaction(_store, _options);
    }

    private void ThrowIfDisposed()
    {
        if (_disposed)
        {
            throw _store.Disposed();
        }
    }

    /// <summary>
    /// Disposes the store and the queues that it has opened. What transactions have received and not committed goes to other consumers.
    /// </summary>
    public void Dispose()
    {
        lock (_sync)
        {
            _disposed = true;
            foreach (IDisposable queue in _queues)
            {
                queue.Dispose();
            }
            _queues.Clear();
            _store.Dispose();
        }
    }

    /// <summary>Like <see cref="Dispose"/>, on the thread pool: what is to be flushed takes as long as the disk does.</summary>
    public ValueTask DisposeAsync() => new(Task.Run(Dispose));
}
