namespace BlitQueue.Hosting;

/// <summary>A queue that was added, without its message type.</summary>
/// <param name="name">Its name.</param>
/// <param name="messageType">Its type.</param>
/// <param name="open">Opens it, or gives the open one.</param>
/// <param name="status">Its status; opens the queue where no code has yet.</param>
internal sealed class QueueRegistration(
    string name, Type messageType, Action<IServiceProvider> open, Func<IServiceProvider, QueueStatus> status)
{
    /// <summary>The subscriptions for which a consumer was added.</summary>
    public HashSet<string> Consumers { get; } = [];

    public string Name => name;

    public Type MessageType => messageType;

    public void Open(IServiceProvider services) => open(services);

    public QueueStatus GetStatus(IServiceProvider services) => status(services);
}
