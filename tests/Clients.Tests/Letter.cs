using BlitQueue.Peer;

namespace BlitQueue.Clients;

/// <summary>A dead letter of a parcel, as the queue of dead letters stores it.</summary>
[QueueMessage]
public sealed partial class Letter
{
    public long Position { get; set; }

    public int Attempts { get; set; }

    public DateTime Time { get; set; }

    public string? Reason { get; set; }

    public Parcel? Message { get; set; }
}
