namespace BlitQueue.RabbitMq;

/// <summary>
/// Makes messages dead letters of the forwarded subscription. One whose letter finds no room on the disk, or a stopped process in its way,
/// waits, leased, and those behind it go on: what is consumed meanwhile makes room.
/// </summary>
internal sealed class ForwardLetters<T>(MappedQueue<T> queue, BridgeStatus status)
    where T : IPackable<T>
{
    // How long after a letter could not be written all that wait are tried again.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    // How long a letter waits for another process that appends one or opens the letters; nothing is forwarded meanwhile. The second time
    // where it was too long before.
    private static readonly TimeSpan LongWait = TimeSpan.FromSeconds(1), ShortWait = TimeSpan.FromMilliseconds(50);

    private readonly List<Waiting> _waiting = [];
    private long _due;

    // The last letter that could not be written waits for another process, not for room.
    private bool _isStalled;

    private sealed record Waiting(Lease<T> Lease, BridgeProblem Problem, string Text);

    /// <summary>How many wait. Each has a lease.</summary>
    public int Count => _waiting.Count;

    /// <summary>Whether a message waits that comes before this position.</summary>
    public bool IsOneBefore(long position) => _waiting.Exists(one => one.Lease.Position.Value < position);

    /// <summary>When they are tried again.</summary>
    public TimeSpan TimeLeft => TimeSpan.FromMilliseconds(Math.Max(0, _due - Environment.TickCount64));

    /// <summary>Makes it a dead letter, now or when nothing is in the way.</summary>
    public void Add(Lease<T> lease, BridgeProblem problem, string text)
    {
        var letter = new Waiting(lease, problem, text);
        // A shorter letter may find room; a process is in the way of each.
        if (_isStalled || !TryWrite(letter))
        {
            _waiting.Add(letter);
        }
    }

    /// <summary>Tries those again that wait, if it is time.</summary>
    /// <returns>Whether some waited, and none does any more.</returns>
    public bool TryWriteWaiting()
    {
        if (_waiting.Count == 0 || TimeLeft > TimeSpan.Zero)
        {
            return false;
        }
        while (_waiting.Count > 0 && TryWrite(_waiting[0]))
        {
            _waiting.RemoveAt(0);
        }
        return _waiting.Count == 0;
    }

    /// <summary>Gives those back that wait, uncounted, to the forwarder that comes next.</summary>
    public void GiveBack()
    {
        foreach (Waiting one in _waiting)
        {
            one.Lease.TryAbandonUncounted();
        }
        _waiting.Clear();
    }

    private bool TryWrite(Waiting letter)
    {
        try
        {
            using var limit = new CancellationTokenSource(_isStalled ? ShortWait : LongWait);
            letter.Lease.DeadLetter(letter.Text, limit.Token);
        }
        catch (QueueFullException full)
        {
            PutOff(letter, isStalled: false, $"waits for room; later messages go on. {letter.Text} {full.Message}");
            return false;
        }
        catch (Exception obstacle) when (obstacle is QueueStalledException or OperationCanceledException)
        {
            string who = obstacle is QueueStalledException
                ? obstacle.Message
                : "That process appends a letter, or opens the letters, and does not get on.";
            PutOff(letter, isStalled: true, $"waits for another process; later messages go on. {letter.Text} {who}");
            return false;
        }
        _isStalled = false;
        status.NoteOnce(letter.Problem, $"{NameOf(letter)} became a dead letter: {letter.Text}");
        status.AddSetAside();
        return true;
    }

    private void PutOff(Waiting letter, bool isStalled, string text)
    {
        _isStalled = isStalled;
        _due = Environment.TickCount64 + (long)Pause.TotalMilliseconds;
        status.Note(BridgeProblem.LocalQueueFull, $"{NameOf(letter)} is to become a dead letter, and {text}");
    }

    private string NameOf(Waiting letter) => $"The message at {letter.Lease.Position} of {queue.Path}";
}
