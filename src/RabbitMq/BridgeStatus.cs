using System.Diagnostics;

namespace BlitQueue.RabbitMq;

/// <summary>What one thread notes and any thread may read, and what the meter counts.</summary>
/// <param name="isForwarder">false: a receiver.</param>
/// <param name="queue">The local queue's path.</param>
/// <param name="destination">What is published to or consumed from, at the broker.</param>
internal sealed class BridgeStatus(bool isForwarder, string queue, string destination)
{
    // A connection that lasts so long, and on which nothing waits for an answer, is a good one.
    private static readonly TimeSpan ProvenAfter = TimeSpan.FromSeconds(5);

    private readonly Lock _sync = new();
    private int _running;
    private bool _connected;
    private long _connectedAt;
    private BridgeProblem _problem;

    // Of a clock that never jumps.
    private long? _problemSince;

    private BridgeProblem _lastProblem;
    private string? _lastError;
    private DateTime? _lastErrorAt;
    private int _window;
    private long _messages;
    private long _duplicates;
    private long _setAside;
    private long _connections;

    /// <summary>Called with each problem that differs from the one before, and with <see cref="BridgeProblem.None"/> at its end.</summary>
    public Action<BridgeProblem, string?>? Changed { get; set; }

    /// <summary>Called when the connection is there, and when it is there no more.</summary>
    public Action? ConnectionChanged { get; set; }

    /// <summary>The attributes of its measurements.</summary>
    public KeyValuePair<string, object?>[] Tags { get; } =
    [
        new(BridgeTags.System, BridgeTags.SystemName), new(BridgeTags.Destination, destination),
        new(BridgeTags.Operation, isForwarder ? "publish" : "receive"), new(BridgeTags.Queue, queue),
    ];

    /// <inheritdoc cref="BridgeTags.Queue"/>
    public string Queue => queue;

    public string Destination => destination;

    public bool IsConnected
    {
        get
        {
            lock (_sync)
            {
                return _connected;
            }
        }
    }

    public int Window
    {
        get => Volatile.Read(ref _window);
        set => Volatile.Write(ref _window, value);
    }

    public void Begin(string what)
    {
        if (Interlocked.Exchange(ref _running, 1) != 0)
        {
            throw new InvalidOperationException($"The {what} runs already. RunAsync is called once at a time.");
        }
        try
        {
            // What was in the way of the run before.
            Clear();
            BridgeMeter.Begin(this);
        }
        catch
        {
            Volatile.Write(ref _running, 0);
            throw;
        }
    }

    public void End()
    {
        try
        {
            BridgeMeter.End(this);
            NoteLost();
        }
        finally
        {
            Volatile.Write(ref _running, 0);
        }
    }

    public void AddMessages(int count)
    {
        Interlocked.Add(ref _messages, count);
        (isForwarder ? BridgeMeter.Confirmed : BridgeMeter.Written).Add(count, Tags);
    }

    public void AddDuplicates(int count)
    {
        Interlocked.Add(ref _duplicates, count);
        (isForwarder ? BridgeMeter.Republished : BridgeMeter.Duplicates).Add(count, Tags);
    }

    public void AddSetAside()
    {
        Interlocked.Increment(ref _setAside);
        BridgeMeter.SetAside.Add(1, Tags);
    }

    public void AddPublished() => BridgeMeter.Sent.Add(1, Tags);

    public void AddReturned() => BridgeMeter.Returned.Add(1, Tags);

    public void AddRefused() => BridgeMeter.Refused.Add(1, Tags);

    public void AddReceived() => BridgeMeter.Received.Add(1, Tags);

    public void AddGap() => BridgeMeter.Gaps.Add(1, Tags);

    public void NoteConnected()
    {
        lock (_sync)
        {
            _connected = true;
            _connectedAt = Stopwatch.GetTimestamp();
            _connections++;
        }
        BridgeMeter.Connections.Add(1, Tags);
        ConnectionChanged?.Invoke();
        // A broker that takes nothing says so again on the new connection.
        ClearIf(static problem => problem is BridgeProblem.InUse or BridgeProblem.LocalQueueFull or BridgeProblem.Blocked);
    }

    /// <summary>
    /// After how long to look for a proof that the connection is a good one; null where none is awaited, or a message will be it.
    /// </summary>
    /// <remarks>
    /// What the broker refused it may refuse again at the first message. So that problem is over when a message gets through, or when the
    /// connection has lasted and none waits. If it were over with each connection, no problem would ever last for long.
    /// </remarks>
    public TimeSpan? ProofLeft
    {
        get
        {
            lock (_sync)
            {
                TimeSpan left = ProvenAfter - Stopwatch.GetElapsedTime(_connectedAt);
                return !_connected || !IsOfConnection(_problem) || Window > 0 ? null : left > TimeSpan.Zero ? left : TimeSpan.Zero;
            }
        }
    }

    /// <summary>Ends a problem of the connection that has lasted.</summary>
    public void LookForProof()
    {
        if (ProofLeft == TimeSpan.Zero)
        {
            ClearIf(IsOfConnection);
        }
    }

    private static bool IsOfConnection(BridgeProblem problem) => problem is BridgeProblem.Unreachable or BridgeProblem.AccessRefused
        or BridgeProblem.MissingExchange or BridgeProblem.MissingQueue or BridgeProblem.TopologyMismatch;

    public void NoteLost()
    {
        bool wasConnected;
        lock (_sync)
        {
            (wasConnected, _connected) = (_connected, false);
        }
        if (wasConnected)
        {
            ConnectionChanged?.Invoke();
        }
    }

    /// <summary>A problem that lasts until <see cref="Clear"/>.</summary>
    public void Note(BridgeProblem problem, string text)
    {
        bool isNew;
        lock (_sync)
        {
            isNew = _problem != problem;
            _problem = problem;
            _problemSince ??= Stopwatch.GetTimestamp();
            Remember(problem, text);
        }
        if (isNew)
        {
            Changed?.Invoke(problem, text);
        }
    }

    /// <summary>A problem of one message, which is over: the message was set aside.</summary>
    public void NoteOnce(BridgeProblem problem, string text)
    {
        lock (_sync)
        {
            Remember(problem, text);
        }
        Changed?.Invoke(problem, text);
    }

    public void Clear() => ClearIf(static problem => problem != BridgeProblem.None);

    /// <summary>The broker has memory and disk again.</summary>
    public void ClearBlocked() => ClearIf(static problem => problem == BridgeProblem.Blocked);

    /// <summary>No message waits for its letter any more.</summary>
    public void ClearLocal() => ClearIf(static problem => problem is BridgeProblem.LocalQueueFull or BridgeProblem.Other);

    /// <summary>Nothing waits at all: what was wrong with a message is over.</summary>
    public void ClearMessages() => ClearIf(static problem => problem is BridgeProblem.DamagedMessage or BridgeProblem.LocalQueueFull
        or BridgeProblem.Other or BridgeProblem.Unroutable or BridgeProblem.TooLarge or BridgeProblem.UnsendableMessage
        or BridgeProblem.OutOfOrder or BridgeProblem.Refused);

    private void ClearIf(Func<BridgeProblem, bool> isOver)
    {
        lock (_sync)
        {
            if (!isOver(_problem))
            {
                return;
            }
            (_problem, _problemSince) = (BridgeProblem.None, null);
        }
        Changed?.Invoke(BridgeProblem.None, null);
    }

    public BridgeState Read(long lag)
    {
        lock (_sync)
        {
            return new BridgeState
            {
                Connected = _connected,
                Problem = _problem,
                ProblemSince = _problemSince is { } since ? DateTime.UtcNow - Stopwatch.GetElapsedTime(since) : null,
                LastProblem = _lastProblem,
                LastError = _lastError,
                LastErrorAt = _lastErrorAt,
                Window = Volatile.Read(ref _window),
                Lag = lag,
                Messages = Interlocked.Read(ref _messages),
                Duplicates = Interlocked.Read(ref _duplicates),
                SetAside = Interlocked.Read(ref _setAside),
                Connections = _connections,
            };
        }
    }

    private void Remember(BridgeProblem problem, string text) =>
        (_lastProblem, _lastError, _lastErrorAt) = (problem, text, DateTime.UtcNow);
}
