namespace BlitQueue.Shapes;

/// <summary>Sequences of sequences.</summary>
[QueueMessage]
public partial class Jagged
{
    public int[][]? Ints { get; set; }
    public List<int[]?>? IntLists { get; set; }
    public List<List<string>>? Texts { get; set; }
    public decimal?[][][]? Deep { get; set; }
    public Queue<Stack<bool>>? Mixed { get; set; }
}
