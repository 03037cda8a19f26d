namespace BlitQueue.RabbitMq;

/// <summary>
/// Takes the messages of forwarders from a queue of the broker into a local queue, once and in order. One local transaction writes messages
/// and the mark of how far their source was received; the broker is told after it.
/// </summary>
/// <typeparam name="T">The local queue's message type.</typeparam>
/// <remarks>
/// <para>
/// A message that arrives again is dropped. One that arrives before those that its source sent earlier waits for them; if they do not
/// come, they are missing, and the receiver stops and says which (<see cref="ReceiverOptions.OnGap"/>). What cannot be a message of the
/// local queue goes to the queue <c>refused-NAME</c> of the store (<see cref="RefusedMessage"/>), and later messages go on.
/// </para>
/// <para>
/// One receiver at a time runs for a local queue, in whatever process; another one waits and takes over. The marks are in the queue
/// <c>received-NAME</c> of the store. The store is the caller's, and is not disposed.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using var store = MappedStore.Open("/var/lib/shop");
/// var receiver = new Receiver&lt;Order&gt;(store, "orders", new ReceiverOptions { Queue = "orders" });
/// await receiver.RunAsync(stopping);               // until it is cancelled; connects anew for ever
/// </code>
/// </example>
public sealed class Receiver<T> : IBridge
    where T : IPackable<T>
{
    private readonly MappedStore _store;
    private readonly string _name;
    private readonly ReceiverOptions _options;
    private readonly QueueOptions? _queueOptions;
    private readonly BodyFormat<T>? _format;
    private readonly BridgeStatus _status;
    private readonly Retrying _retrying;

    /// <summary>Makes a receiver. Nothing happens before <see cref="RunAsync"/>.</summary>
    /// <param name="store">The store of the local queue.</param>
    /// <param name="queue">The local queue's name in the store; made where it does not exist.</param>
    /// <param name="options">Copied; the <see cref="BrokerOptions"/> are read at each connect.</param>
    /// <param name="queueOptions">For opening the local queue; null: those of the store.</param>
    /// <param name="format">How bodies are read that are not packed, where the other end is no BlitQueue; null: those are refused.</param>
    /// <exception cref="ArgumentException">An option is out of its range; the text names it.</exception>
    public Receiver(
        MappedStore store, string queue, ReceiverOptions options, QueueOptions? queueOptions = null, BodyFormat<T>? format = null)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentException.ThrowIfNullOrWhiteSpace(queue);
        ArgumentNullException.ThrowIfNull(options);
        _store = store;
        _name = queue;
        _options = options.Validated();
        _status = new BridgeStatus(isForwarder: false, Path.Combine(store.Path, queue), _options.Queue);
        _queueOptions = queueOptions;
        _format = format;
        _retrying = new Retrying(_status, _options.Broker, () => store.Begin().Dispose());
        _status.Changed = (problem, text) => ProblemChanged?.Invoke(this, new BridgeProblemEventArgs(problem, text));
        _status.ConnectionChanged = () => ConnectionChanged?.Invoke(this, EventArgs.Empty);
    }

    /// <summary>A problem has come, or is over. Raised on the receiver's own thread: a handler returns soon and does not throw.</summary>
    public event EventHandler<BridgeProblemEventArgs>? ProblemChanged;

    /// <summary>
    /// It is connected to the broker and has found there what it needs, or is connected no more: <see cref="GetState"/> says which.
    /// Raised on the receiver's own thread: a handler returns soon and does not throw.
    /// </summary>
    public event EventHandler? ConnectionChanged;

    /// <summary>How it stands.</summary>
    public BridgeState GetState() => _status.Read(lag: 0);

    /// <summary>Receives until it is cancelled. What the broker, the network or another process refuses is retried for ever.</summary>
    /// <param name="cancellationToken">Ends it: what is not written then stays at the broker.</param>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    /// <exception cref="InvalidDataException">The local queue for refused messages cannot take one; the text says which.</exception>
    /// <exception cref="MessageGapException">A message is missing, and <see cref="ReceiverOptions.OnGap"/> says stop.</exception>
    /// <exception cref="InvalidOperationException">It runs already.</exception>
    /// <exception cref="QueueException">The local queue cannot be opened, or failed.</exception>
    /// <exception cref="SchemaMismatchException">The local queue has another message type.</exception>
    /// <exception cref="ObjectDisposedException">The store was disposed.</exception>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        _status.Begin("receiver");
        try
        {
            using MappedQueue<T> queue = await OpenAsync<T>(_name, _queueOptions, cancellationToken).ConfigureAwait(false);
            using MappedQueue<RefusedMessage> refused = await OpenAsync<RefusedMessage>(
                $"refused-{_name}", new QueueOptions { SegmentSize = 1 << 20 }, cancellationToken).ConfigureAwait(false);
            using MappedQueue<SourceMarks> markQueue = await OpenAsync<SourceMarks>(
                MarkStore.QueueOf(_name), MarkStore.Options, cancellationToken).ConfigureAwait(false);
            using MarkStore marks =
                await _retrying.ClaimAsync(() => MarkStore.Open(_store, markQueue), cancellationToken).ConfigureAwait(false);
            var inbox = new Inbox<T>(_store, queue, refused, marks, _format, _status);
            var waits = new GapWaits();
            await _retrying.ConnectAsync(token => ConnectAsync(inbox, marks, waits, token), static _ => { }, cancellationToken)
                .ConfigureAwait(false);
        }
        finally
        {
            _status.End();
        }
    }

    // Waits for room on the disk.
    private Task<MappedQueue<TMessage>> OpenAsync<TMessage>(string name, QueueOptions? options, CancellationToken cancellationToken)
        where TMessage : IPackable<TMessage> =>
        _retrying.ClaimAsync(() => _store.OpenQueue<TMessage>(name, options), cancellationToken);

    private async Task ConnectAsync(Inbox<T> inbox, MarkStore marks, GapWaits waits, CancellationToken cancellationToken)
    {
        BrokerSession session = await BrokerSession
            .OpenAsync(_options.Broker, $"receive {_name}", confirms: false, cancellationToken).ConfigureAwait(false);
        await using (session.ConfigureAwait(false))
        {
            await ReceiverTopology.CheckAsync(session.Channel, _options, cancellationToken).ConfigureAwait(false);
            var run = new ReceiverRun<T>(session.Channel, inbox, marks, waits, _options, _status, _retrying.Delay);
            await run.ReceiveAsync(cancellationToken).ConfigureAwait(false);
        }
    }
}
