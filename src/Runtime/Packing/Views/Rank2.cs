namespace BlitQueue.Views;

/// <summary>Two dimensions.</summary>
public readonly struct Rank2 : IGridRank
{
    static int IGridRank.Rank => 2;
}
