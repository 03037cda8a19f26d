using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Publishes the messages of one subscription to an exchange, in order, and consumes each when the broker has confirmed it. The local queue
/// is the outbox: while the broker is away messages wait there.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <remarks>
/// <para>
/// Nothing is lost: a message is consumed only when the broker has confirmed it. Messages may be published twice, at most as many as the
/// window has for each lost connection, refusal or kill; every publish of a message carries the same source, position and predecessor, by
/// which a <see cref="Receiver{T}"/> drops what it has, puts in order what came early, and notices what is missing.
/// </para>
/// <para>
/// One forwarder at a time runs for a subscription, in whatever process; another one waits and takes over. It is the subscription's only
/// consumer: others are refused while it runs. The queue is the caller's, and is not disposed.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using var orders = MappedQueue&lt;Order&gt;.Open("orders");
/// var forwarder = new Forwarder&lt;Order&gt;(orders, new ForwarderOptions { Exchange = "shop", RoutingKey = "orders" });
/// await forwarder.RunAsync(stopping);              // until it is cancelled; connects anew for ever
/// </code>
/// </example>
public sealed class Forwarder<T> : IBridge
    where T : IPackable<T>
{
    // Deliveries are counted up to this number; with it a message never becomes a dead letter because forwarders were killed.
    private const int NoLimit = 32_767;

    // How long it consumes nothing after it met a damaged message, so that SkipCorrupt is allowed, and finds it.
    private static readonly TimeSpan DamagePause = TimeSpan.FromSeconds(5);

    private readonly MappedQueue<T> _queue;
    private readonly ForwarderOptions _options;
    private readonly BodyFormat<T>? _format;
    private readonly BridgeStatus _status;
    private readonly Retrying _retrying;

    /// <summary>Makes a forwarder. Nothing happens before <see cref="RunAsync"/>.</summary>
    /// <param name="queue">The local queue.</param>
    /// <param name="options">Copied; the <see cref="BrokerOptions"/> are read at each connect.</param>
    /// <param name="format">How bodies are written where the other end is no BlitQueue; null: packed.</param>
    /// <exception cref="ArgumentException">An option is out of its range; the text names it.</exception>
    public Forwarder(MappedQueue<T> queue, ForwarderOptions options, BodyFormat<T>? format = null)
    {
        ArgumentNullException.ThrowIfNull(queue);
        ArgumentNullException.ThrowIfNull(options);
        _queue = queue;
        _options = options.Validated();
        _format = format;
        _status = new BridgeStatus(isForwarder: true, queue.Path, BridgeTags.DestinationOf(_options));
        _retrying = new Retrying(_status, _options.Broker, () => _ = queue.Epochs);
        _status.Changed = (problem, text) => ProblemChanged?.Invoke(this, new BridgeProblemEventArgs(problem, text));
        _status.ConnectionChanged = () => ConnectionChanged?.Invoke(this, EventArgs.Empty);
    }

    /// <summary>A problem has come, or is over. Raised on the forwarder's own thread: a handler returns soon and does not throw.</summary>
    public event EventHandler<BridgeProblemEventArgs>? ProblemChanged;

    /// <summary>
    /// It is connected to the broker and has found there what it needs, or is connected no more: <see cref="GetState"/> says which.
    /// Raised on the forwarder's own thread: a handler returns soon and does not throw.
    /// </summary>
    public event EventHandler? ConnectionChanged;

    /// <summary>How it stands. The first call may count what waits in the queue.</summary>
    public BridgeState GetState()
    {
        SubscriptionStatus? found = _queue.GetStatus().Subscriptions.FirstOrDefault(one => one.Name == _options.Subscription);
        return _status.Read(found is null ? 0 : found.Lag + found.InFlight);
    }

    /// <summary>Forwards until it is cancelled. What the broker, the network or another process refuses is retried for ever.</summary>
    /// <param name="cancellationToken">Ends it: what is not confirmed then stays in the queue.</param>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    /// <exception cref="InvalidOperationException">It runs already; or the queue is older than the state (a restored copy).</exception>
    /// <exception cref="InvalidDataException">The file of the state is damaged, or another subscription's.</exception>
    /// <exception cref="IOException">The file of the state cannot be opened, as on a disk that is only read.</exception>
    /// <exception cref="QueueException">The subscription is gone, or the queue failed.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public async Task RunAsync(CancellationToken cancellationToken = default)
    {
        _status.Begin("forwarder");
        try
        {
            using FileStream? alone = await LockAsync(cancellationToken).ConfigureAwait(false);
            using SourceFile source = await ClaimAsync(cancellationToken).ConfigureAwait(false);
            for (; ; )
            {
                using (Subscription<T> subscription = await SubscribeAsync(cancellationToken).ConfigureAwait(false))
                {
                    await ForwardAsync(source, subscription, cancellationToken).ConfigureAwait(false);
                }
                await Task.Delay(DamagePause, cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            _status.End();
        }
    }

    private string UsualState => $"{WithoutLinks(_queue.Path)}.{_options.Subscription}.forward";

    private bool IsUsualState => _options.StatePath is null || string.Equals(
        WithoutLinks(_options.StatePath), WithoutLinks(UsualState),
        OperatingSystem.IsWindows() ? StringComparison.OrdinalIgnoreCase : StringComparison.Ordinal);

    // One file for a directory, whatever path leads to it.
    private static string WithoutLinks(string path)
    {
        string full = Path.TrimEndingDirectorySeparator(Path.GetFullPath(path));
        if (Path.GetDirectoryName(full) is not { } parent)
        {
            return full;
        }
        string resolved = Path.Combine(WithoutLinks(parent), Path.GetFileName(full));
        return Path.Exists(resolved) && Directory.ResolveLinkTarget(resolved, returnFinalTarget: true) is { } target
            ? WithoutLinks(target.FullName)
            : resolved;
    }

    // Two forwarders whose files are elsewhere, each its own, would both run: so the usual file is the lock of all.
    private async Task<FileStream?> LockAsync(CancellationToken cancellationToken) =>
        IsUsualState
            ? null
            : await _retrying.ClaimAsync(() => SourceFile.OpenAlone(UsualState), cancellationToken).ConfigureAwait(false);

    private async Task<SourceFile> ClaimAsync(CancellationToken cancellationToken)
    {
        string path = _options.StatePath ?? UsualState;
        bool isUsual = IsUsualState;
        SourceFile source = await _retrying.ClaimAsync(() => OpenState(path, isUsual), cancellationToken).ConfigureAwait(false);
        try
        {
            RequireCurrent(source, path);
            return source;
        }
        catch
        {
            source.Dispose();
            throw;
        }
    }

    // Elsewhere than usual, the usual file is open already, as the lock: so no other process forwards this subscription.
    private SourceFile OpenState(string path, bool isUsual)
    {
        try
        {
            return SourceFile.Open(path, _queue.Id, _options.Subscription, isNamed: isUsual);
        }
        catch (BridgeException exception) when (!isUsual && exception.Problem == BridgeProblem.InUse)
        {
            throw new BridgeException(
                BridgeProblem.InUse,
                $"{path} is in use, and no other process forwards this subscription: it is the state of another one, or a second name of "
                    + $"{UsualState}, which is the lock. Give ForwarderOptions.StatePath a file of its own.",
                exception);
        }
    }

    private void RequireCurrent(SourceFile source, string path)
    {
        long next = _queue.GetStatus().Next.Value;
        if (source.Noted.Last.Position < next || !new ForwardEpochs(_queue.Epochs).IsOfLast(source.Noted))
        {
            return;
        }
        throw new InvalidOperationException(
            $"{path} says that the broker has confirmed the message at {source.Noted.Last.Position}, and the queue's next message is at "
            + $"{next}: the queue has an older state. Its next messages would have the positions of others that were sent, and the "
            + "receiver would drop them. Delete the file: what waits in the queue is forwarded then as from a new source.");
    }

    private Task<Subscription<T>> SubscribeAsync(CancellationToken cancellationToken) =>
        _retrying.ClaimAsync(Subscribe, cancellationToken);

    // No other consumer can have one of its messages then: what is from before the note is confirmed, and what comes first is the oldest.
    private Subscription<T> Subscribe() => _queue.Subscribe(
        _options.Subscription,
        new SubscriptionOptions { SingleConsumer = true, MaxAttempts = NoLimit, DurableOnly = _options.DurableOnly });

    // Returns where the next message is damaged: what is not confirmed was given back.
    private async Task ForwardAsync(SourceFile source, Subscription<T> subscription, CancellationToken cancellationToken)
    {
        // Begins with the first attempt to connect: it reads the broker's options, which may throw.
        ForwarderRun<T>? run = null;
        ForwarderRun<T> Begin() => run ??= new ForwarderRun<T>(_queue, subscription, source, _options, _format, _status, _retrying.Delay);
        try
        {
            await _retrying.ConnectAsync(token => ConnectAsync(Begin(), token), failure => run?.NoteFailure(failure), cancellationToken)
                .ConfigureAwait(false);
        }
        catch (QueueCorruptException met) when (met == run?.Damage)
        {
            _status.NoteLost();
        }
        finally
        {
            await (run?.EndAsync() ?? Task.CompletedTask).ConfigureAwait(false);
        }
    }

    private async Task ConnectAsync(ForwarderRun<T> run, CancellationToken cancellationToken)
    {
        string name = $"forward {Path.GetFileName(_queue.Path)}";
        BrokerSession session =
            await BrokerSession.OpenAsync(_options.Broker, name, confirms: true, cancellationToken).ConfigureAwait(false);
        await using (session.ConfigureAwait(false))
        {
            await CheckTopologyAsync(session.Channel, cancellationToken).ConfigureAwait(false);
            _status.NoteConnected();
            await run.PumpAsync(session, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task CheckTopologyAsync(IChannel channel, CancellationToken cancellationToken)
    {
        if (_options.Exchange.Length == 0)
        {
            return;
        }
        if (_options.DeclareExchange)
        {
            await channel.ExchangeDeclareAsync(
                _options.Exchange, _options.ExchangeType, durable: true, autoDelete: false, cancellationToken: cancellationToken)
                .ConfigureAwait(false);
        }
        else
        {
            await channel.ExchangeDeclarePassiveAsync(_options.Exchange, cancellationToken).ConfigureAwait(false);
        }
    }
}
