using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>What arrays and lists have in common.</summary>
internal static class Sequences
{
    public static WireType Of(WireKind kind, ITypeSymbol type, ITypeSymbol item, WireType element)
    {
        // A list of string? and one of string can both be members: their helper methods need two names.
        var isNullableReference = item.IsReferenceType && item.NullableAnnotation == NullableAnnotation.Annotated;
        return new WireType
        {
            Kind = kind,
            Name = TypeNames.Code(type),
            Word = $"{kind}Of{(isNullableReference ? "Nullable" : "")}{element.Word}",
            Element = element,
        };
    }
}
