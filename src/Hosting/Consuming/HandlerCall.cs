using Microsoft.Extensions.DependencyInjection;

namespace BlitQueue.Hosting;

/// <summary>Makes a handler in a scope of its own, and calls it there.</summary>
internal abstract class HandlerCall<T, THandler>(IServiceScopeFactory scopes) : IHandlerCall<T>
    where T : IPackable<T>
    where THandler : class
{
    public string HandlerName => typeof(THandler).Name;

    public ValueTask CheckAsync() => CallAsync(static _ => default);

    public abstract Task ProcessAsync(
        Subscription<T> subscription, Func<IReadOnlyList<Lease<T>>, Func<ValueTask>, ValueTask> around, ProcessOptions options,
        CancellationToken cancellationToken);

    /// <summary>Makes a handler, calls it, and disposes its scope.</summary>
    protected async ValueTask CallAsync(Func<THandler, ValueTask> call)
    {
        AsyncServiceScope scope = scopes.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            await call(scope.ServiceProvider.GetRequiredService<THandler>()).ConfigureAwait(false);
        }
    }
}
