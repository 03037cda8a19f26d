namespace BlitQueue.RabbitMq;

/// <summary>What one thread notes and any thread may read.</summary>
internal sealed class BridgeStatus
{
    private readonly Lock _sync = new();
    private int _running;
    private bool _connected;
    private BridgeProblem _problem;
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

    public int Window
    {
        set => Volatile.Write(ref _window, value);
    }

    public void Begin(string what)
    {
        if (Interlocked.Exchange(ref _running, 1) != 0)
        {
            throw new InvalidOperationException($"The {what} runs already. RunAsync is called once at a time.");
        }
    }

    public void End()
    {
        NoteLost();
        Volatile.Write(ref _running, 0);
    }

    public void AddMessages(int count) => Interlocked.Add(ref _messages, count);

    public void AddDuplicates(int count) => Interlocked.Add(ref _duplicates, count);

    public void AddSetAside() => Interlocked.Increment(ref _setAside);

    public void NoteConnected()
    {
        lock (_sync)
        {
            _connected = true;
            _connections++;
        }
        ConnectionChanged?.Invoke();
        // What was wrong with a message or with the topology behind an exchange shows when the next one is confirmed.
        if (_problem is BridgeProblem.Unreachable or BridgeProblem.AccessRefused or BridgeProblem.MissingExchange
            or BridgeProblem.MissingQueue or BridgeProblem.TopologyMismatch or BridgeProblem.InUse)
        {
            Clear();
        }
    }

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

    public void Clear()
    {
        lock (_sync)
        {
            if (_problem == BridgeProblem.None)
            {
                return;
            }
            _problem = BridgeProblem.None;
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
