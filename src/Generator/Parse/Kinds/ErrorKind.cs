using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A type that does not exist, or a type parameter of a message: the compiler or another diagnostic says so.</summary>
internal static class ErrorKind
{
    public static WireType? Classify(ITypeSymbol type, Refusal refusal)
        => type.TypeKind == TypeKind.Error || IsOfMessage(type) ? refusal.Silent() : null;

    private static bool IsOfMessage(ITypeSymbol type)
        => type is ITypeParameterSymbol { DeclaringType: { } declaring } && KnownTypes.Has(declaring, KnownTypes.QueueMessage);
}
