namespace BlitQueue.RabbitMq.Site;

/// <summary>What is sent from one machine to the other.</summary>
[QueueMessage]
public sealed partial class Parcel
{
    public long Number { get; set; }

    public string? Text { get; set; }

    public byte[]? Filling { get; set; }
}
