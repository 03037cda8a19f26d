namespace BlitQueue.Views;

/// <summary>Four dimensions.</summary>
public readonly struct Rank4 : IGridRank
{
    static int IGridRank.Rank => 4;
}
