using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>An array of one dimension.</summary>
internal static class ArrayKind
{
    public static WireType? Classify(ITypeSymbol type, Refusal refusal)
    {
        if (type is not IArrayTypeSymbol array)
            return null;
        if (array.Rank > 1)
            return refusal.CannotPack($"{TypeNames.Text(type)} has {array.Rank} dimensions; use an array of arrays");

        return WireKinds.Classify(array.ElementType, refusal) is { } element
            ? Sequences.Of(WireKind.Array, type, array.ElementType, element)
            : null;
    }
}
