using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// The packed bytes of a leased message, in place: what a view or a serializer of one's own reads. Copies are the same scope.
/// </summary>
/// <remarks>
/// <para>
/// The bytes stay mapped until <see cref="Dispose"/>, whatever happens to the lease or the queue meanwhile; a queue that is disposed gives
/// its mappings back when the last scope has ended. As long as the lease is open no process overwrites them. If it ends while the scope is
/// open, by a commit or because another consumer's <see cref="SubscriptionOptions.VisibilityTimeout"/> ran out, the segment may be used for
/// later messages: then the span may show any bytes, but nothing worse happens.
/// </para>
/// <para>
/// A message that is split over several records is put together in memory that the end of the scope gives back. Do not use a span after
/// that end: it would show another message's bytes, or end the process where the message has more than 1 MiB. With <c>using</c> the
/// compiler prevents this for the scope, but not for a copy of its span.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using LeasedBytes bytes = lease.OpenBytes();
/// var view = new Order.View(bytes.Span);
/// Console.WriteLine(view.Customer);
/// </code>
/// </example>
public readonly ref struct LeasedBytes
{
    private readonly CallGate.LongCall _stay;
    private readonly ReadOnlySpan<byte> _span;
    private readonly ScratchBytes? _joined;

    internal LeasedBytes(CallGate.LongCall stay, ReadOnlySpan<byte> span, ScratchBytes? joined)
    {
        _stay = stay;
        _span = span;
        _joined = joined;
    }

    /// <summary>The packed message and nothing else. Not to be used after <see cref="Dispose"/>.</summary>
    public ReadOnlySpan<byte> Span => _span;

    /// <summary>Releases the mapping; does nothing the second time. The lease stays as it is.</summary>
    public void Dispose()
    {
        if (_stay.TryLeave())
        {
            ((IDisposable?)_joined)?.Dispose();
        }
    }
}
