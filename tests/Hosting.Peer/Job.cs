namespace BlitQueue.Hosting.Peer;

/// <summary>Something to do.</summary>
[QueueMessage]
public partial class Job
{
    public int Id { get; set; }

    public string Text { get; set; } = "";
}
