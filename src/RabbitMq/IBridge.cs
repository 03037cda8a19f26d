namespace BlitQueue.RabbitMq;

/// <summary>A <see cref="Forwarder{T}"/> or a <see cref="Receiver{T}"/>, for code that runs or watches either.</summary>
/// <example>
/// <code>
/// IBridge bridge = forwarder;
/// bridge.ProblemChanged += (_, change) => Console.Error.WriteLine(bridge.GetState());
/// await bridge.RunAsync(cancellationToken);
/// </code>
/// </example>
public interface IBridge
{
    /// <summary>A problem has come, or is over. Raised on the bridge's own thread: a handler returns soon and does not throw.</summary>
    event EventHandler<BridgeProblemEventArgs>? ProblemChanged;

    /// <summary>
    /// It is connected to the broker and has found there what it needs, or is connected no more: <see cref="GetState"/> says which.
    /// Raised on the bridge's own thread: a handler returns soon and does not throw.
    /// </summary>
    event EventHandler? ConnectionChanged;

    /// <summary>How it stands.</summary>
    BridgeState GetState();

    /// <summary>Runs until it is cancelled. What the broker, the network or another process refuses is retried for ever.</summary>
    /// <param name="cancellationToken">Ends it.</param>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    Task RunAsync(CancellationToken cancellationToken = default);
}
