namespace BlitQueue.Calls;

/// <summary>The context of a trace in 25 bytes of a call.</summary>
internal static class RpcTrace
{
    public const int Size = 25;

    private const int TraceId = 16, SpanId = 8;

    public static void Write(Span<byte> bytes, ActivityContext context)
    {
        context.TraceId.CopyTo(bytes[..TraceId]);
        context.SpanId.CopyTo(bytes.Slice(TraceId, SpanId));
        bytes[TraceId + SpanId] = (byte)context.TraceFlags;
    }

    public static ActivityContext Read(ReadOnlySpan<byte> bytes) => new(
        ActivityTraceId.CreateFromBytes(bytes[..TraceId]), ActivitySpanId.CreateFromBytes(bytes.Slice(TraceId, SpanId)),
        (ActivityTraceFlags)bytes[TraceId + SpanId], isRemote: true);
}
