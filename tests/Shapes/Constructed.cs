namespace BlitQueue.Shapes;

/// <summary>Read-only members through a constructor, required and init ones, a base class, private members.</summary>
[QueueMessage]
public partial class Constructed : Leafless
{
    [PackConstructor]
    public Constructed(int id, string? name)
    {
        Id = id;
        Name = name;
    }

    public int Id { get; }
    public string? Name { get; }
    public required decimal Price { get; init; }
    public required List<int>? Numbers { get; set; }
    public IList<string>? Texts { get; init; } = ["initial"];
    public int Field;

    [PackIgnore] internal int Calls { get; private set; }

    [PackInclude] private long _secret = 7;

    [OnUnpacked]
    private void Unpacked() => Calls++;

    [OnPacking]
    private void Packing() => _secret = 7;
}
