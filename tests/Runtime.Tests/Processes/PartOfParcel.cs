namespace BlitQueue.Tests.Processes;

/// <summary>A parcel as a version knows it to which members were appended later.</summary>
[QueueMessage]
internal sealed partial class PartOfParcel
{
    public int Producer { get; set; }
}
