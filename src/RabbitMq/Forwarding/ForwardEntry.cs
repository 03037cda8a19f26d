using System.Diagnostics;

namespace BlitQueue.RabbitMq;

/// <summary>A leased message on its way to the broker.</summary>
/// <param name="lease">The lease.</param>
/// <param name="point">Its name.</param>
internal sealed class ForwardEntry<T>(Lease<T> lease, ForwardPoint point)
    where T : IPackable<T>
{
    public Lease<T> Lease { get; } = lease;

    public ForwardPoint Point { get; } = point;

    public long Position => Point.Position;

    public long Epoch => Point.Epoch;

    /// <summary>Its own routing key, once it was published; null where all messages have the same.</summary>
    public string? Key { get; set; }

    public bool IsConfirmed { get; set; }

    /// <summary>Why the broker returned it; null if it did not.</summary>
    public string? ReturnText { get; set; }

    /// <summary>The span of its publish; null where no listener wants one.</summary>
    public Activity? Span { get; set; }

    public void EndSpan(string? failure = null, string errorType = "unconfirmed")
    {
        BridgeTracing.End(Span, failure, errorType);
        Span = null;
    }

    public void Reset()
    {
        EndSpan(ReturnText ?? "The broker has not confirmed it. It is published again.", ReturnText is null ? "unconfirmed" : "returned");
        IsConfirmed = false;
        ReturnText = null;
    }
}
