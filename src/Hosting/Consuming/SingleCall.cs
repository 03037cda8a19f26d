using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace BlitQueue.Hosting;

/// <summary>A scope and a handler for each message.</summary>
internal sealed class SingleCall<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
    IServiceScopeFactory scopes, string queue) : HandlerCall<T, THandler>(scopes)
    where T : IPackable<T>
    where THandler : class, IQueueHandler<T>
{
    public override Task ProcessAsync(
        Subscription<T> subscription, Func<IReadOnlyList<Lease<T>>, Func<ValueTask>, ValueTask> around, ProcessOptions options,
        CancellationToken cancellationToken) =>
        subscription.ProcessLeasesAsync(
            (lease, stopping) => around([lease], () => HandleAsync(lease, subscription.Name, stopping)), options, cancellationToken);

    private async ValueTask HandleAsync(Lease<T> lease, string subscription, CancellationToken cancellationToken)
    {
        T message = lease.Read();
        MessageContext context = DeliveryReader.ContextOf(lease, queue, subscription);
        await CallAsync(handler => handler.HandleAsync(message, context, cancellationToken)).ConfigureAwait(false);
    }
}
