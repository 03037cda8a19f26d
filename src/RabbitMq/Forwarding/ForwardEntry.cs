namespace BlitQueue.RabbitMq;

/// <summary>A leased message on its way to the broker.</summary>
internal sealed class ForwardEntry<T>(Lease<T> lease)
    where T : IPackable<T>
{
    public Lease<T> Lease { get; } = lease;

    public long Position { get; } = lease.Position.Value;

    public bool IsConfirmed { get; set; }

    /// <summary>Why the broker returned it; null if it did not.</summary>
    public string? ReturnText { get; set; }

    public void Reset()
    {
        IsConfirmed = false;
        ReturnText = null;
    }
}
