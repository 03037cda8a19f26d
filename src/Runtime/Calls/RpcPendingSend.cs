using System.Threading.Tasks.Sources;

namespace BlitQueue.Calls;

/// <summary>A one-way call as the source of a task, which ends when a server has taken the request.</summary>
/// <param name="client">The client.</param>
internal sealed class RpcPendingSend(RpcClientCore client) : RpcClientCall(client), IValueTaskSource
{
    public ValueTask Task => new(this, Version);

    public ValueTaskSourceStatus GetStatus(short token) => Status;

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        GoOn(continuation, state, token, flags);

    public void GetResult(short token) => RpcAnswer.ReadNothing(this);
}
