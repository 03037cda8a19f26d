namespace BlitQueue;

/// <summary>Answers a request whose packed bytes it reads where they are, on a thread that has called <c>ServeBytes</c>.</summary>
/// <param name="request">The packed request and nothing else: what a view reads. Not to be used after the handler has returned.</param>
/// <param name="reuse">
/// The reply of the call before, of whichever client, to be filled and returned, or null. It still has all that it was filled with then.
/// </param>
/// <param name="context">What else is known of the call. Not to be used after the handler has returned.</param>
/// <returns>The reply: <paramref name="reuse"/> or another instance; null is an error. Of a one-way call it is not used.</returns>
public delegate TReply RpcBytesHandler<TReply>(ReadOnlySpan<byte> request, TReply? reuse, RpcContext context);
