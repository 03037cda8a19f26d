using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Parse;

/// <summary>Finds the name of a message's view, and the accessibility of its members.</summary>
internal static class ViewFinder
{
    // The Roslyn version that the generator is compiled against may lack a name for it.
    private const LanguageVersion CSharp13 = (LanguageVersion)1300;

    private static readonly string[] Candidates = ["View", "PackedView", "MessageView", "GeneratedView"];

    /// <summary>The name of the view of a message in this project or in another assembly; empty if it has none.</summary>
    public static string Find(INamedTypeSymbol message)
    {
        foreach (INamedTypeSymbol nested in message.GetTypeMembers())
        {
            if (IsView(nested))
            {
                return nested.Name;
            }
        }

        return HasView(message) ? Candidates.FirstOrDefault(name => !IsTaken(message, name)) ?? "" : "";
    }

    /// <summary>The view's full name; empty if there is none.</summary>
    public static string FullName(INamedTypeSymbol message)
        => Find(message) is { Length: > 0 } name ? $"{TypeNames.Code(message)}.{name}" : "";

    /// <summary>Whether a base class, or an interface's base, has a view of the same name.</summary>
    public static bool HidesBaseView(INamedTypeSymbol message)
    {
        string name = Find(message);
        return name.Length > 0 && Bases(message).Any(type => Find(type) == name);
    }

    /// <summary>The accessibility of a member in the view; empty if only code inside the message can name its type.</summary>
    public static string AccessOf(FoundMember member)
        => member.Symbol.DeclaredAccessibility == Accessibility.Public ? "public" : IsInternal(member.Type) ? "internal" : "";

    /// <summary>The accessibility of a union's case in its view; empty if only code inside the union can name its type.</summary>
    public static string AccessOf(ITypeSymbol type) => IsPublic(type) ? "public" : IsInternal(type) ? "internal" : "";

    private static bool HasView(INamedTypeSymbol message)
        => KnownTypes.Has(message, KnownTypes.QueueMessage)
            && (message is { TypeKind: TypeKind.Class or TypeKind.Struct, IsAbstract: false }
                || (UnionParser.IsUnion(message) && !HeaderParser.TypeParameters(message).Any()))
            && !message.DeclaringSyntaxReferences.IsEmpty
            && SpeaksOfRefStructs(message)
            && HeaderParser.CanContainCode(message);

    // Before C# 13 a ref struct cannot implement an interface, and a view must.
    private static bool SpeaksOfRefStructs(INamedTypeSymbol message)
        => message.DeclaringSyntaxReferences[0].SyntaxTree.Options is CSharpParseOptions { LanguageVersion: >= CSharp13 };

    private static bool IsTaken(INamedTypeSymbol message, string name)
    {
        if (message.Name == name || HeaderParser.TypeParameters(message).Contains(name))
        {
            return true;
        }

        // Derived classes inherit nested types, so the view's name must be free in them as well.
        if (UnionParser.CasesOf(message).Any(option => option.GetMembers(name).Any(member => !IsView(member))))
        {
            return true;
        }

        foreach (INamedTypeSymbol? type in Bases(message).Prepend(message))
        {
            foreach (ISymbol member in type.GetMembers())
            {
                if (member.Name == name ? !IsView(member) : TypesOf(member).Any(named => Mentions(named, name)))
                {
                    return true;
                }
            }
        }

        return false;

        // Inside the message, the view's name would hide a type of the same name that the user's members mean.
        static IEnumerable<ITypeSymbol> TypesOf(ISymbol member) => member switch
        {
            IPropertySymbol property => [property.Type],
            IFieldSymbol field => [field.Type],
            IMethodSymbol { MethodKind: MethodKind.Ordinary or MethodKind.Constructor } method
                => [method.ReturnType, .. method.Parameters.Select(parameter => parameter.Type)],
            _ => [],
        };
    }

    private static bool Mentions(ITypeSymbol type, string name) => type switch
    {
        IArrayTypeSymbol array => Mentions(array.ElementType, name),
        INamedTypeSymbol { TypeKind: not TypeKind.Error } named
            => (named.Name == name && !IsView(named)) || named.TypeArguments.Any(argument => Mentions(argument, name)),
        _ => false,
    };

    // The types whose members a name in the message may hide. A class does not inherit types that are nested in interfaces.
    private static IEnumerable<INamedTypeSymbol> Bases(INamedTypeSymbol message)
    {
        if (message.TypeKind == TypeKind.Interface)
        {
            return message.AllInterfaces;
        }

        List<INamedTypeSymbol> bases = [];
        for (INamedTypeSymbol? type = message.BaseType; type is { SpecialType: SpecialType.None }; type = type.BaseType)
        {
            bases.Add(type);
        }

        return bases;
    }

    private static bool IsView(ISymbol member)
        => member is INamedTypeSymbol { IsRefLikeType: true } type
            && type.AllInterfaces.Any(contract => KnownTypes.Is(contract.OriginalDefinition, KnownTypes.IPackView));

    private static bool IsInternal(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol array => IsInternal(array.ElementType),
        INamedTypeSymbol named
            => named.DeclaredAccessibility is Accessibility.Public or Accessibility.Internal or Accessibility.ProtectedOrInternal
            or Accessibility.NotApplicable
                && (named.ContainingType is not { } outer || IsInternal(outer))
                && named.TypeArguments.All(IsInternal),
        _ => true,
    };

    private static bool IsPublic(ITypeSymbol type) => type is not INamedTypeSymbol named
        || (named.DeclaredAccessibility == Accessibility.Public
            && (named.ContainingType is not { } outer || IsPublic(outer))
            && named.TypeArguments.All(IsPublic));
}
