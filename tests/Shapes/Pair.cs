namespace BlitQueue.Shapes;

/// <summary>Copied as it lies in memory.</summary>
public struct Pair
{
    public int A;
    public float B;
}
