namespace BlitQueue.Views;

/// <summary>
/// How many dimensions a <see cref="GridView{TRank, TItem}"/> has: <see cref="Rank2"/>, <see cref="Rank3"/> or <see cref="Rank4"/>.
/// </summary>
public interface IGridRank
{
    /// <summary>2 to 4.</summary>
    static abstract int Rank { get; }
}
