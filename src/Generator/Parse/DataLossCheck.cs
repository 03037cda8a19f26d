using BlitQueue.Generator.Diagnose;
using BlitQueue.Generator.Parse.Kinds;

namespace BlitQueue.Generator.Parse;

/// <summary>Reports data that is not packed although it looks as if it were: members of collections, elements of messages.</summary>
internal static class DataLossCheck
{
    /// <summary>Checks a member whose type is, or contains, a collection with settable members.</summary>
    public static void Check(INamedTypeSymbol message, FoundMember member, WireType type, DiagnosticBag diagnostics)
    {
        if (type.Lost.Length > 0)
        {
            diagnostics.Add(
                Descriptors.LostPart, Locations.OfType(message, member.Symbol), member.Name,
                $"{type.Lost}: of a collection only the elements are packed");
        }

        if (type.Element is { } element)
        {
            Check(message, member, element, diagnostics);
        }

        foreach (WireType part in type.Parts)
        {
            Check(message, member, part, diagnostics);
        }
    }

    /// <summary>Checks a message that is also a collection, if none of its packed members can be where its elements are stored.</summary>
    public static void Check(INamedTypeSymbol message, DiagnosticBag diagnostics)
    {
        INamedTypeSymbol? collection = message.AllInterfaces.FirstOrDefault(
            contract => contract.OriginalDefinition.SpecialType == SpecialType.System_Collections_Generic_ICollection_T);
        if (collection is null || message.TypeKind == TypeKind.Interface || HeaderParser.CollectionBase(message) is not null)
        {
            return;
        }

        if (ContainsElements(message, collection.TypeArguments[0]))
        {
            return;
        }

        Location? at = HeaderParser.Declaration(message)?.Identifier.GetLocation();
        diagnostics.Add(Descriptors.LostPart, at, TypeNames.Text(message), "its elements: of a message only the members are packed");
    }

    private static bool ContainsElements(INamedTypeSymbol message, ITypeSymbol element)
        => BaseTypes.BasesFirst(message).SelectMany(type => type.GetMembers()).Any(member => TypeOf(member) is { } type
            && (Sequences.EnumeratedBy(type) ?? (type as IArrayTypeSymbol)?.ElementType) is { } item
            && SymbolEqualityComparer.Default.Equals(item, element));

    private static ITypeSymbol? TypeOf(ISymbol member) => member switch
    {
        IFieldSymbol { IsStatic: false, IsImplicitlyDeclared: false } field when IsPacked(field) => field.Type,
        IPropertySymbol { IsStatic: false, IsIndexer: false } property when IsPacked(property) => property.Type,
        _ => null,
    };

    private static bool IsPacked(ISymbol member)
        => !KnownTypes.Has(member, KnownTypes.PackIgnore)
            && (member.DeclaredAccessibility == Accessibility.Public || KnownTypes.Has(member, KnownTypes.PackInclude));
}
