namespace BlitQueue.Hosting;

/// <summary>How a consumer has leases handled: one at a time or in batches.</summary>
internal interface IHandlerCall<T>
    where T : IPackable<T>
{
    /// <summary>What the log says about the handler.</summary>
    string HandlerName { get; }

    /// <summary>Makes a handler without using it, so that a handler that cannot be made fails the start and not a message.</summary>
    /// <exception cref="InvalidOperationException">A service that it needs is missing.</exception>
    ValueTask CheckAsync();

    /// <summary>Runs until a token is cancelled or nothing can be taken, as <see cref="Subscription{T}.ProcessAsync"/>.</summary>
    /// <param name="subscription">From where.</param>
    /// <param name="around">Is called around each handling, with its leases.</param>
    /// <param name="options">How.</param>
    /// <param name="cancellationToken">Ends the taking.</param>
    Task ProcessAsync(
        Subscription<T> subscription, Func<IReadOnlyList<Lease<T>>, Func<ValueTask>, ValueTask> around, ProcessOptions options,
        CancellationToken cancellationToken);
}
