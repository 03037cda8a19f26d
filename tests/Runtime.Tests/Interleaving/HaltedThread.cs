namespace BlitQueue.Tests.Interleaving;

/// <summary>A thread that stops in front of its n-th write to shared words until it is let go, or dies there.</summary>
internal sealed class HaltedThread
{
    private readonly SemaphoreSlim _reached = new(0), _go = new(0);
    private readonly Thread _thread;
    private readonly bool _dies;
    private Exception? _failure;
    private int _left;

    private HaltedThread(int before, bool dies, Action work, Action? first = null)
    {
        _dies = dies;
        _thread = new Thread(() => Run(first, before, work)) { IsBackground = true };
        _thread.Start();
        _reached.Wait();
    }

    [field: ThreadStatic]
    public static HaltedThread? Current { get; private set; }

    /// <summary>Whether it came to the write.</summary>
    public bool WasHalted { get; private set; }

    /// <summary>Begins the work, and returns when it stands in front of the write, or is through.</summary>
    /// <param name="before">The write's number, from 1.</param>
    /// <param name="work">What it does.</param>
    public static HaltedThread Begin(int before, Action work) => new(before, dies: false, work);

    /// <summary>The same, with something that it does before without being halted.</summary>
    public static HaltedThread Begin(Action first, int before, Action work) => new(before, dies: false, work, first);

    /// <summary>Does the work up to the write, and no more.</summary>
    /// <returns>Whether it came to the write.</returns>
    public static bool Kill(int before, Action work) => new HaltedThread(before, dies: true, work).WasHalted;

    /// <summary>Lets it go on to its end.</summary>
    public void Finish()
    {
        _go.Release();
        _thread.Join();
        Assert.Null(_failure);
    }

    public void BeforeWrite()
    {
        if (--_left != 0)
        {
            return;
        }
        WasHalted = true;
        if (_dies)
        {
            throw new OperationCanceledException("killed");
        }
        _reached.Release();
        _go.Wait();
    }

    private void Run(Action? first, int before, Action work)
    {
        try
        {
            first?.Invoke();
            _left = before;
            Current = this;
            work();
        }
        catch (OperationCanceledException) when (_dies)
        {
        }
        catch (Exception exception)
        {
            _failure = exception;
        }
        _reached.Release();
    }
}
