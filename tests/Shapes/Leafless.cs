namespace BlitQueue.Shapes;

/// <summary>A base class that is no message.</summary>
public class Leafless
{
    public bool IsBase { get; set; }
    public string? BaseName { get; set; }
}
