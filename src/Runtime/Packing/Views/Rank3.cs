namespace BlitQueue.Views;

/// <summary>Three dimensions.</summary>
public readonly struct Rank3 : IGridRank
{
    static int IGridRank.Rank => 3;
}
