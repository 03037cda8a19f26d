namespace BlitQueue.Shapes;

/// <summary>Arrays of several dimensions.</summary>
[QueueMessage]
public partial class Grids
{
    public int[,]? Ints { get; set; }
    public bool?[,]? Bools { get; set; }
    public string?[,,]? Texts { get; set; }
    public byte[,,,]? Bytes { get; set; }
    public Leaf?[,]? Leaves { get; set; }
    public Dot[,]? Dots { get; set; }
    public int[,][]? OfArrays { get; set; }
    public int[][,]? InArrays { get; set; }
    public List<short[,]>? Lists { get; set; }
}
