namespace BlitQueue.Cli.Output;

/// <summary>How a command ended, for monitoring. docs/tool.md documents these numbers.</summary>
internal static class ExitCode
{
    public const int Fine = 0;

    /// <summary>A threshold was passed; or what was asked for is not there.</summary>
    public const int Passed = 1;

    public const int Damaged = 2;

    public const int NoQueue = 3;

    /// <summary>No rights, or a living process is in the way.</summary>
    public const int Refused = 4;

    /// <summary>The system or the queue cannot do it: no room, an error of the disk.</summary>
    public const int Failed = 5;

    public const int Usage = 64;

    /// <summary>The input is not what it has to be.</summary>
    public const int Input = 65;

    public const int Interrupted = 130;

    /// <summary>The code for an exception that the library throws.</summary>
    public static int Of(QueueException exception) => exception switch
    {
        QueueCorruptException => Damaged,
        QueueFullException => Failed,
        _ => exception.Reason switch
        {
            QueueError.Corrupt => Damaged,
            QueueError.NotFound or QueueError.NotAQueue or QueueError.NewerFormat => NoQueue,
            QueueError.AccessDenied or QueueError.ReadOnly or QueueError.InUse or QueueError.TooManyHandles or QueueError.TooManyLeases
                or QueueError.Stalled => Refused,
            QueueError.PositionGone or QueueError.SubscriptionGone or QueueError.NoDefaultSubscription => Passed,
            _ => Failed,
        },
    };
}
