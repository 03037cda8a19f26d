namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>An array of one dimension or of several.</summary>
internal static class ArrayKind
{
    private const int MaxRank = 4;

    public static WireType? Classify(ITypeSymbol type, Rejection rejection)
    {
        if (type is not IArrayTypeSymbol array)
        {
            return null;
        }

        if (array.Rank > MaxRank)
        {
            return rejection.CannotPack(
                $"{TypeNames.Text(type)} has {array.Rank} dimensions, and {MaxRank} are the most; use an array of arrays");
        }

        if (WireKinds.Classify(array.ElementType, rejection) is not { } element)
        {
            return null;
        }

        return array.Rank == 1 ? Sequences.Of(WireKind.Array, type, array.ElementType, element)
            : Sequences.Of(WireKind.Grid, type, array.ElementType, element) with
            {
                Word = $"Grid{array.Rank}Of{Sequences.ItemWord(array.ElementType, element)}",
                Rank = array.Rank,
            };
    }
}
