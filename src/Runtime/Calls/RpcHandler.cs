namespace BlitQueue;

/// <summary>Answers a request on a thread that has called <c>Serve</c> of a server.</summary>
/// <param name="request">The request. The same instance is filled for the next one.</param>
/// <param name="reuse">
/// The reply of the call before, of whichever client, to be filled and returned, or null. It still has all that it was filled with then.
/// </param>
/// <param name="context">What else is known of the call. Not to be used after the handler has returned.</param>
/// <returns>The reply: <paramref name="reuse"/> or another instance; null is an error. Of a one-way call it is not used.</returns>
public delegate TReply RpcHandler<TRequest, TReply>(TRequest request, TReply? reuse, RpcContext context);
