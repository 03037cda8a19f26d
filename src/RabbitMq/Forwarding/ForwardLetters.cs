namespace BlitQueue.RabbitMq;

/// <summary>
/// Makes messages dead letters of the forwarded subscription. One whose letter finds no room on the disk, or is delayed by a process that
/// is stopped, waits, leased, and those behind it go on: what is consumed meanwhile makes room.
/// </summary>
internal sealed class ForwardLetters<T>(MappedQueue<T> queue, BridgeStatus status)
    where T : IPackable<T>
{
    // How long after a letter could not be written all that wait are tried again, and how long an attempt waits for another process, which
    // delays those behind it.
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1), Patience = TimeSpan.FromMilliseconds(50);

    private readonly List<Waiting> _waiting = [];
    private long _due;

    private sealed record Waiting(Lease<T> Lease, ForwardPoint Point, BridgeProblem Problem, string Text)
    {
        public QueueCorruptException? Damage { get; set; }

        public string Obstacle { get; set; } = "";
    }

    /// <summary>How many wait. Each has a lease.</summary>
    public int Count => _waiting.Count;

    /// <summary>
    /// The oldest that waits; what is wrong with it where it is damaged, so that no letter can be made of it; and what it waits for.
    /// </summary>
    public (long Position, QueueCorruptException? Damage, string Obstacle)? Oldest =>
        _waiting.Count > 0 && _waiting.MinBy(static one => one.Point.Position) is { } oldest
            ? (oldest.Point.Position, oldest.Damage, oldest.Obstacle)
            : null;

    /// <summary>Whether the source's file names those that wait.</summary>
    public bool IsNoted { get; set; } = true;

    /// <summary>Those that wait.</summary>
    public IReadOnlyList<ForwardPoint> Points => _waiting.Count == 0 ? [] : [.. _waiting.Select(static one => one.Point)];

    /// <summary>When they are tried again.</summary>
    public TimeSpan TimeLeft => TimeSpan.FromMilliseconds(Math.Max(0, _due - Environment.TickCount64));

    /// <summary>Makes it a dead letter, now or when that is possible.</summary>
    public void Add(Lease<T> lease, ForwardPoint point, BridgeProblem problem, string text)
    {
        var letter = new Waiting(lease, point, problem, text);
        // First, so that the lease is known whatever happens.
        _waiting.Add(letter);
        bool wasNoted = IsNoted;
        IsNoted = false;
        if (TryWrite(letter, isQuiet: false))
        {
            _waiting.Remove(letter);
            IsNoted = wasNoted;
            Tell(letter);
        }
    }

    /// <summary>What is wrong with the queue of the letters itself, after it was thrown.</summary>
    public QueueCorruptException? OwnDamage { get; private set; }

    /// <summary>Tries those again that wait, if it is time.</summary>
    /// <param name="isQuiet">Whether what they wait for is not to be told.</param>
    /// <returns>Whether some waited, and none does any more.</returns>
    public bool TryWriteWaiting(bool isQuiet)
    {
        if (_waiting.Count == 0 || TimeLeft > TimeSpan.Zero)
        {
            return false;
        }
        _due = Environment.TickCount64 + (long)Pause.TotalMilliseconds;
        while (_waiting.Find(static one => one.Damage is null) is { } letter && TryWrite(letter, isQuiet))
        {
            _waiting.Remove(letter);
            IsNoted = false;
            Tell(letter);
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

    private bool TryWrite(Waiting letter, bool isQuiet)
    {
        using var patience = new CancellationTokenSource(Patience);
        try
        {
            letter.Lease.DeadLetter(letter.Text, patience.Token);
        }
        catch (QueueCorruptException damage)
        {
            // No filter: that would look while the letter is being made.
            if (!IsDamaged(letter.Lease))
            {
                OwnDamage = damage;
                throw;
            }
            letter.Damage = damage;
            return false;
        }
        catch (Exception obstacle) when (
            obstacle is QueueException { Reason: QueueError.DiskFull or QueueError.CapacityFull or QueueError.Stalled }
                or OperationCanceledException)
        {
            _due = Environment.TickCount64 + (long)Pause.TotalMilliseconds;
            letter.Obstacle = obstacle.Message;
            if (!isQuiet)
            {
                Tell(letter, obstacle);
            }
            return false;
        }
        return true;
    }

    // The message, and not the queue of the letters, which SkipCorrupt does not step over.
    private static bool IsDamaged(Lease<T> lease)
    {
        try
        {
            lease.OpenBytes().Dispose();
            lease.ReadProperties();
            return false;
        }
        catch (QueueCorruptException)
        {
            return true;
        }
        catch (InvalidOperationException)
        {
            // The letter was written, and the lease is over.
            return false;
        }
    }

    private void Tell(Waiting letter, Exception obstacle) => status.Note(
        obstacle is OperationCanceledException ? BridgeProblem.Other : Problems.Of(obstacle),
        $"{NameOf(letter)} is to become a dead letter, and waits for "
            + $"{(obstacle is QueueFullException ? "room" : "a stopped process")}; later messages go on. {letter.Text} {obstacle.Message}");

    private void Tell(Waiting letter)
    {
        status.NoteOnce(letter.Problem, $"{NameOf(letter)} became a dead letter: {letter.Text}");
        status.AddSetAside();
    }

    private string NameOf(Waiting letter) => $"The message at {letter.Lease.Position} of {queue.Path}";
}
