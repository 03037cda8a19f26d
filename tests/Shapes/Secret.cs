namespace BlitQueue.Shapes;

/// <summary>No message, and no type that is known.</summary>
public struct Secret
{
    public object? Text { get; set; }
}
