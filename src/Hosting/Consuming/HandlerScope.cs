using Microsoft.Extensions.DependencyInjection;

namespace BlitQueue.Hosting;

/// <summary>The scopes in which handlers are made.</summary>
internal static class HandlerScope
{
    /// <summary>Makes a handler in a scope of its own and uses it for nothing.</summary>
    public static async ValueTask CheckAsync<THandler>(IServiceScopeFactory scopes)
        where THandler : class
    {
        AsyncServiceScope scope = scopes.CreateAsyncScope();
        await using (scope.ConfigureAwait(false))
        {
            _ = scope.ServiceProvider.GetRequiredService<THandler>();
        }
    }
}
