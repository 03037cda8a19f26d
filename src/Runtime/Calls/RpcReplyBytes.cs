using BlitQueue.Calls;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>The packed bytes of a reply, in place: what a view reads. Copies are the same scope.</summary>
/// <example>
/// <code>
/// using RpcReplyBytes reply = client.CallForBytes(request);
/// var quote = new Quote.View(reply.Span);
/// Console.WriteLine(quote.Price);
/// </code>
/// </example>
public readonly ref struct RpcReplyBytes
{
    private readonly CallGate.LongCall _stay;
    private readonly RpcClientCall? _call;
    private readonly ReadOnlySpan<byte> _span;

    internal RpcReplyBytes(CallGate.LongCall stay, RpcClientCall call, ReadOnlySpan<byte> span)
    {
        _stay = stay;
        _call = call;
        _span = span;
    }

    /// <summary>The packed reply and nothing else. Not to be used after <see cref="Dispose"/>.</summary>
    public ReadOnlySpan<byte> Span => _span;

    /// <summary>Ends the call, on the thread that made it; its bytes are used for other calls from now on.</summary>
    public void Dispose()
    {
        if (_stay.TryLeave())
        {
            RpcAnswer.End(_call!, failure: null);
        }
    }
}
