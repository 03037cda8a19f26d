namespace BlitQueue;

/// <summary>Where a <see cref="MessageProcessor{T}"/> takes messages: one subscription, or that of several lanes.</summary>
/// <typeparam name="T">The message type.</typeparam>
internal interface IMessageSource<T>
    where T : IPackable<T>
{
    /// <summary>What measures the time between two renewals of leases.</summary>
    TimeProvider Clock { get; }

    /// <summary>Takes messages of one subscription without consuming them: as many as there are, at most so many.</summary>
    /// <param name="leases">Receives the leases, from its beginning.</param>
    /// <param name="cancellationToken">Ends a wait for another process that has to do with the dead letters.</param>
    /// <returns>How many were taken; 0 when there is no message.</returns>
    int Take(Span<Lease<T>> leases, CancellationToken cancellationToken);

    /// <summary>Waits until trying to take a message is promising; another consumer may be faster then.</summary>
    ValueTask WaitForMessageAsync(CancellationToken cancellationToken);
}
