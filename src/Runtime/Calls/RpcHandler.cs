namespace BlitQueue;

/// <summary>Answers a request on the thread that called <c>Serve</c> of a server.</summary>
/// <param name="request">The request. The same instance is filled for the next one.</param>
/// <param name="reply">The reply of the call before, to be filled, or null; the handler may put another one here.</param>
/// <param name="context">What else is known of the call. Not to be used after the handler has returned.</param>
public delegate void RpcHandler<TRequest, TReply>(TRequest request, ref TReply? reply, RpcContext context);
