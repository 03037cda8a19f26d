using System.Text;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>Writes symbols as text.</summary>
internal static class TypeNames
{
    private static readonly SymbolDisplayFormat Full = SymbolDisplayFormat.FullyQualifiedFormat
        .AddMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.IncludeNullableReferenceTypeModifier);

    /// <summary>Full names without global:: and without @.</summary>
    public static readonly SymbolDisplayFormat Unannotated = SymbolDisplayFormat.FullyQualifiedFormat
        .WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted)
        .RemoveMiscellaneousOptions(SymbolDisplayMiscellaneousOptions.EscapeKeywordIdentifiers);

    /// <summary>For code: with global::, with nullable annotations of type arguments, without one of the type itself.</summary>
    public static string Code(ITypeSymbol type) => type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(Full);

    /// <summary>For a namespace declaration.</summary>
    public static string Code(INamespaceSymbol space)
        => space.ToDisplayString(Full.WithGlobalNamespaceStyle(SymbolDisplayGlobalNamespaceStyle.Omitted));

    /// <summary>For people: Shop.Order, int, List&lt;int&gt;.</summary>
    public static string Text(ITypeSymbol type)
        => type.WithNullableAnnotation(NullableAnnotation.NotAnnotated).ToDisplayString(SymbolDisplayFormat.CSharpShortErrorMessageFormat);

    /// <summary>For people, with the namespace and the containing types.</summary>
    public static string Qualified(ITypeSymbol type) => type.ToDisplayString(Unannotated);

    public static string Identifier(string name)
        => SyntaxFacts.GetKeywordKind(name) != SyntaxKind.None || SyntaxFacts.GetContextualKeywordKind(name) != SyntaxKind.None
            ? "@" + name
            : name;

    /// <summary>A type's simple name as part of an identifier: Point, PairOfInt32.</summary>
    public static string Word(ITypeSymbol type)
    {
        if (type is IArrayTypeSymbol array)
        {
            return (array.Rank == 1 ? "ArrayOf" : $"Grid{array.Rank}Of") + Word(array.ElementType);
        }

        if (type is not INamedTypeSymbol { TypeArguments.Length: > 0 } named)
        {
            return type.Name;
        }

        var word = new StringBuilder(type.Name);
        string joint = "Of";
        foreach (ITypeSymbol argument in named.TypeArguments)
        {
            word.Append(joint).Append(Word(argument));
            joint = "And";
        }

        return word.ToString();
    }
}
