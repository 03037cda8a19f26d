namespace BlitQueue;

/// <summary>Answers a request whose packed bytes it reads where they are, on the thread that called <c>ServeBytes</c>.</summary>
/// <param name="request">The packed request and nothing else: what a view reads. Not to be used after the handler has returned.</param>
/// <param name="reply">The reply of the call before, to be filled, or null; the handler may put another one here.</param>
/// <param name="context">What else is known of the call. Not to be used after the handler has returned.</param>
public delegate void RpcBytesHandler<TReply>(ReadOnlySpan<byte> request, ref TReply? reply, RpcContext context);
