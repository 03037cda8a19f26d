namespace BlitQueue.Shapes;

/// <summary>What has keys or priorities beside its elements, and is no dictionary.</summary>
[QueueMessage]
public partial class Lookups
{
    public ILookup<short, int>? ILookup { get; set; }
    public IGrouping<short, string>? IGrouping { get; set; }
    public PriorityQueue<short, int>? PriorityQueue { get; set; }
    public ILookup<string, Leaf>? LookupOfLeaves { get; set; }
    public PriorityQueue<string, long>? PriorityQueueOfTexts { get; set; }
}
