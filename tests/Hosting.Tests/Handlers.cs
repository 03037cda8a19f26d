namespace BlitQueue.Hosting.Tests;

/// <summary>What the handlers of a test do.</summary>
public sealed class Script
{
    public required Func<Job, MessageContext, CancellationToken, Task> Run { get; init; }
}

/// <summary>Does what the test says.</summary>
public sealed class ScriptedHandler(Script script) : IQueueHandler<Job>
{
    public async ValueTask HandleAsync(Job message, MessageContext context, CancellationToken cancellationToken) =>
        await script.Run(message, context, cancellationToken);
}

/// <summary>What the batch handlers of a test do.</summary>
public sealed class BatchScript
{
    public required Func<IReadOnlyList<QueueDelivery<Job>>, Task> Run { get; init; }
}

/// <summary>Does what the test says.</summary>
public sealed class ScriptedBatchHandler(BatchScript script) : IQueueBatchHandler<Job>
{
    public async ValueTask HandleAsync(IReadOnlyList<QueueDelivery<Job>> batch, CancellationToken cancellationToken) =>
        await script.Run(batch);
}

/// <summary>A service of a scope, which counts.</summary>
public sealed class Scoped(Scoped.Count count) : IDisposable
{
    public void Dispose() => Interlocked.Increment(ref count.Disposed);

    /// <summary>How many scopes have ended.</summary>
    public sealed class Count
    {
        public int Disposed;
    }
}

/// <summary>Uses a service of its scope.</summary>
public sealed class ScopedHandler(Scoped scoped, ScopedHandler.Seen seen) : IQueueHandler<Job>
{
    public ValueTask HandleAsync(Job message, MessageContext context, CancellationToken cancellationToken)
    {
        lock (seen.Services)
        {
            seen.Services.Add(scoped);
        }
        return default;
    }

    /// <summary>The services that handlers had.</summary>
    public sealed class Seen
    {
        public HashSet<Scoped> Services { get; } = [];
    }
}
