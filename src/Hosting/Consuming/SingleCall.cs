using System.Diagnostics.CodeAnalysis;
using Microsoft.Extensions.DependencyInjection;

namespace BlitQueue.Hosting;

/// <summary>A scope and a handler for each message.</summary>
internal sealed class SingleCall<T, [DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicConstructors)] THandler>(
    IServiceScopeFactory scopes, string queue) : IHandlerCall<T>
    where T : IPackable<T>
    where THandler : class, IQueueHandler<T>
{
    public string HandlerName => typeof(THandler).Name;

    public ValueTask CheckAsync() => HandlerScope.CheckAsync<THandler>(scopes);

    public Task ProcessAsync(
        Subscription<T> subscription, Func<IReadOnlyList<Lease<T>>, Func<ValueTask>, ValueTask> around, ProcessOptions options,
        CancellationToken cancellationToken) =>
        subscription.ProcessLeasesAsync(
            (lease, stopping) => around([lease], () => HandleAsync(lease, subscription.Name, stopping)), options, cancellationToken);

    private async ValueTask HandleAsync(Lease<T> lease, string subscription, CancellationToken cancellationToken)
    {
        T message = lease.Read();
        MessageContext context = DeliveryReader.ContextOf(lease, queue, subscription);
        AsyncServiceScope scope = scopes.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            THandler handler = scope.ServiceProvider.GetRequiredService<THandler>();
            await handler.HandleAsync(message, context, cancellationToken).ConfigureAwait(false);
        }
    }
}
