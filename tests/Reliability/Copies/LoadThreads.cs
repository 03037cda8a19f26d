namespace BlitQueue.Reliability.Copies;

/// <summary>The threads of what is at work while it is copied. Each works until they are to end.</summary>
internal sealed class LoadThreads
{
    private readonly List<Task> _tasks = [];
    private volatile bool _areEnding;
    private volatile string? _fault;

    /// <summary>Whether each is to return.</summary>
    public bool AreEnding => _areEnding;

    /// <summary>What a thread threw; null: none did.</summary>
    public string? Fault => _fault;

    /// <summary>Starts a thread for each.</summary>
    public void Begin(params ReadOnlySpan<Action> works)
    {
        _areEnding = false;
        foreach (Action work in works)
        {
            _tasks.Add(Start(work));
        }
    }

    /// <summary>Returns when all have.</summary>
    public void End()
    {
        _areEnding = true;
        Task.WaitAll([.. _tasks]);
        _tasks.Clear();
    }

    private Task Start(Action work) => Task.Factory.StartNew(() =>
    {
        try
        {
            work();
        }
        catch (Exception exception)
        {
            _fault = exception.ToString();
        }
    }, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
}
