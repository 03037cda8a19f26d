using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace BlitQueue.Hosting;

/// <summary>A scope and a handler for each batch.</summary>
internal sealed class BatchCall<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
    IServiceScopeFactory scopes, string queue) : HandlerCall<T, THandler>(scopes)
    where T : IPackable<T>
    where THandler : class, IQueueBatchHandler<T>
{
    public override Task ProcessAsync(
        Subscription<T> subscription, Func<IReadOnlyList<Lease<T>>, Func<ValueTask>, ValueTask> around, ProcessOptions options,
        CancellationToken cancellationToken) =>
        subscription.ProcessBatchesAsync(
            (leases, stopping) => around(leases, () => HandleAsync(leases, subscription.Name, stopping)), options, cancellationToken);

    private async ValueTask HandleAsync(IReadOnlyList<Lease<T>> leases, string subscription, CancellationToken cancellationToken)
    {
        var batch = new QueueDelivery<T>[leases.Count];
        for (int i = 0; i < batch.Length; i++)
        {
            batch[i] = new QueueDelivery<T>(leases[i].Read(), DeliveryReader.ContextOf(leases[i], queue, subscription));
        }
        await CallAsync(handler => handler.HandleAsync(batch, cancellationToken)).ConfigureAwait(false);
    }
}
