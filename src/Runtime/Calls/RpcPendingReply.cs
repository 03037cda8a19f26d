using System.Threading.Tasks.Sources;

namespace BlitQueue.Calls;

/// <summary>
/// A call as the source of a task: a caller that asks later finds the answer in the call's word, so that a task which is not awaited before
/// it is over costs no wake-up. The reply is unpacked where it is awaited.
/// </summary>
/// <param name="client">The client.</param>
/// <param name="reuse">The instance to fill; null for a new one.</param>
internal sealed class RpcPendingReply<TReply>(RpcClientCore client, TReply? reuse) : RpcClientCall(client), IValueTaskSource<TReply>
    where TReply : IPackable<TReply>
{
    public ValueTask<TReply> Task => new(this, Version);

    public ValueTaskSourceStatus GetStatus(short token) => Status;

    public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        GoOn(continuation, state, token, flags);

    public TReply GetResult(short token)
    {
        TReply? reply = reuse;
        RpcAnswer.Read(this, ref reply);
        return reply;
    }
}
