using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Parse.Kinds;

/// <summary>A member with a packer of its own, whatever its type is.</summary>
internal static class CustomKind
{
    public static WireType? Classify(ITypeSymbol type, AttributeData packWith, Refusal refusal)
    {
        if (packWith.ConstructorArguments is not [{ Value: INamedTypeSymbol packer }])
            return refusal.Silent();
        if (!Implements(packer, type))
            return refusal.UnusablePacker($"{TypeNames.Text(packer)} does not implement IPacker<{TypeNames.Text(type)}>");
        if (!HasPublicMethod(packer, "Pack") || !HasPublicMethod(packer, "Unpack"))
            return refusal.UnusablePacker($"{TypeNames.Text(packer)} does not implement Pack and Unpack publicly");

        return new WireType
        {
            Kind = WireKind.Custom,
            Name = TypeNames.Code(type),
            Word = $"{TypeNames.Word(type)}With{TypeNames.Word(packer)}",
            Schema = "custom",
            Packer = TypeNames.Code(packer),
            IsValueType = type.IsValueType,
        };
    }

    private static bool Implements(INamedTypeSymbol packer, ITypeSymbol type)
        => packer.AllInterfaces.Any(contract =>
            KnownTypes.Is(contract.OriginalDefinition, KnownTypes.IPacker)
            && SymbolEqualityComparer.Default.Equals(contract.TypeArguments[0], type));

    private static bool HasPublicMethod(INamedTypeSymbol packer, string name)
        => packer.GetMembers(name).Any(member => member is IMethodSymbol { IsStatic: true, DeclaredAccessibility: Accessibility.Public });
}
