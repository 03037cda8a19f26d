using BlitQueue.Generator.Diagnose;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Finds out whether code can be added to a type, and the declarations with which that code begins.</summary>
internal static class HeaderParser
{
    /// <summary>Adds diagnostics for what makes generation impossible.</summary>
    public static void Check(INamedTypeSymbol type, DiagnosticBag diagnostics)
    {
        Location? at = Declaration(type)?.Identifier.GetLocation();
        string name = TypeNames.Text(type);
        CheckPartial(type, diagnostics);
        if (Obstacle(type) is { } obstacle)
        {
            diagnostics.Add(Descriptors.UnusableType, at, name, obstacle);
        }

        if (CollectionBase(type) is { } collection)
        {
            diagnostics.Add(
                Descriptors.UnusableType, at, name,
                $"the elements of {collection} would be lost; give a message a member of that type, or leave out [QueueMessage] and use "
                    + "the type as a member");
        }

        CheckInstances(type, at, diagnostics);
    }

    /// <summary>Adds diagnostics for types that must be made partial.</summary>
    public static void CheckPartial(INamedTypeSymbol type, DiagnosticBag diagnostics)
    {
        TypeDeclarationSyntax? declaration = Declaration(type);
        if (declaration is null || !IsPartial(declaration))
        {
            diagnostics.Add(Descriptors.NotPartial, declaration?.Identifier.GetLocation(), TypeNames.Text(type));
        }

        for (INamedTypeSymbol? outer = type.ContainingType; outer is not null; outer = outer.ContainingType)
        {
            if (Declaration(outer) is { } container && !IsPartial(container))
            {
                diagnostics.Add(
                    Descriptors.ContainerNotPartial, container.Identifier.GetLocation(), TypeNames.Text(outer), TypeNames.Text(type));
            }
        }
    }

    /// <summary>Whether a generated part would compile, even if its members only throw.</summary>
    public static bool CanContainCode(INamedTypeSymbol type)
    {
        return (type.TypeKind != TypeKind.Interface || UnionParser.IsUnion(type)) && Obstacle(type) is null && IsPartialThroughout(type);
    }

    /// <summary>Whether the type and those around it are partial.</summary>
    public static bool IsPartialThroughout(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? part = type; part is not null; part = part.ContainingType)
        {
            if (Declaration(part) is not { } declaration || !IsPartial(declaration))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Whether code can be generated; if not, diagnostics at the type itself say why.</summary>
    public static bool CanBeGenerated(INamedTypeSymbol type)
    {
        var diagnostics = new DiagnosticBag();
        Check(type, diagnostics);
        return !diagnostics.Any;
    }

    /// <summary>The declarations of the types around a type, outermost first.</summary>
    public static IEnumerable<string> FramesAround(INamedTypeSymbol type)
        => type.ContainingType is { } outer ? FramesAround(outer).Append(Frame(outer)) : [];

    public static TypeHeader Parse(INamedTypeSymbol type)
    {
        INamespaceSymbol space = type.ContainingNamespace;
        return new TypeHeader
        {
            Namespace = space.IsGlobalNamespace ? "" : TypeNames.Code(space),
            Containers = new EquatableArray<string>(FramesAround(type)),
            Declaration = Frame(type),
            TypeParameters = new EquatableArray<string>(TypeParameters(type)),
            IsOpenToAll = IsOpenToAll(type),
            Name = TypeNames.Code(type),
            DisplayName = TypeNames.Qualified(type),
            HintName = TypeNames.Qualified(type).Replace('<', '{').Replace('>', '}') + ".g.cs",
        };
    }

    /// <summary>The declaration with [QueueMessage]; any declaration if none has it.</summary>
    public static TypeDeclarationSyntax? Declaration(INamedTypeSymbol type)
    {
        AttributeData? marked = KnownTypes.Find(type, KnownTypes.QueueMessage) ?? KnownTypes.Find(type, KnownTypes.PackUnionOf);
        if (marked?.ApplicationSyntaxReference is { } reference
            && reference.GetSyntax().FirstAncestorOrSelf<TypeDeclarationSyntax>() is { } part)
        {
            return part;
        }

        foreach (SyntaxReference any in type.DeclaringSyntaxReferences)
        {
            if (any.GetSyntax() is TypeDeclarationSyntax declaration)
            {
                return declaration;
            }
        }

        return null;
    }

    private static void CheckInstances(INamedTypeSymbol type, Location? at, DiagnosticBag diagnostics)
    {
        bool isAbstract = type.TypeKind == TypeKind.Interface || (type.IsAbstract && !type.IsStatic);
        bool hasCases = KnownTypes.Has(type, KnownTypes.PackUnion);
        if (isAbstract && !hasCases)
        {
            diagnostics.Add(Descriptors.AbstractMessage, at, TypeNames.Text(type));
        }
        else if (!isAbstract && hasCases && Obstacle(type) is null && !KnownTypes.Has(type, KnownTypes.PackUnionOf))
        {
            diagnostics.Add(Descriptors.UnusableType, at, TypeNames.Text(type), "only an interface or an abstract class can have cases");
        }
    }

    private static string? Obstacle(INamedTypeSymbol type)
        => type.IsStatic ? "it is static and has no instances"
        : type.IsRefLikeType ? "it is a ref struct and cannot leave the stack"
        : type.TypeParameters.Any(parameter => parameter.Variance != VarianceKind.None)
            ? "its type parameters are marked in or out, and IPackable's is not"
        : IsInFileLocal(type) ? "it is local to its file, where nothing can be generated into it"
        : null;

    /// <summary>
    /// The .NET collection that a message derives from: its elements would not be packed, and its Capacity would be a member.
    /// </summary>
    public static string? CollectionBase(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? above = type.BaseType; above is not null; above = above.BaseType)
        {
            if (Containers.Find(above) is not null || KnownTypes.Is(above.OriginalDefinition, KnownTypes.List))
            {
                return TypeNames.Text(above);
            }
        }

        return null;
    }

    private static bool IsInFileLocal(INamedTypeSymbol? type)
        => type is not null && (type.IsFileLocal || IsInFileLocal(type.ContainingType));

    private static bool IsOpenToAll(INamedTypeSymbol type)
        => type.DeclaredAccessibility is not (Accessibility.Private or Accessibility.Protected or Accessibility.ProtectedAndInternal)
        && (type.ContainingType is not { } outer || IsOpenToAll(outer));

    private static bool IsPartial(TypeDeclarationSyntax declaration) => declaration.Modifiers.Any(SyntaxKind.PartialKeyword);

    private static string Frame(INamedTypeSymbol type)
    {
        string kind = (type.IsRecord, type.TypeKind) switch
        {
            (true, TypeKind.Struct) => "record struct",
            (true, _) => "record",
            (_, TypeKind.Struct) => "struct",
            (_, TypeKind.Interface) => "interface",
            _ => "class",
        };
        string parameters = type.TypeParameters.Length == 0
            ? ""
            : "<" + string.Join(", ", type.TypeParameters.Select(Parameter)) + ">";
        return $"partial {kind} {TypeNames.Identifier(type.Name)}{parameters}";
    }

    // The parts of a type must have the same variance on their type parameters, but may leave out the constraints.
    private static string Parameter(ITypeParameterSymbol parameter)
    {
        string variance = parameter.Variance switch { VarianceKind.In => "in ", VarianceKind.Out => "out ", _ => "" };
        return variance + TypeNames.Identifier(parameter.Name);
    }

    /// <summary>The type parameters in scope inside the type.</summary>
    public static IEnumerable<string> TypeParameters(INamedTypeSymbol type)
        => TypeParameterSymbols(type).Select(parameter => parameter.Name);

    public static IEnumerable<ITypeParameterSymbol> TypeParameterSymbols(INamedTypeSymbol type)
    {
        for (INamedTypeSymbol? part = type; part is not null; part = part.ContainingType)
        {
            foreach (ITypeParameterSymbol parameter in part.TypeParameters)
            {
                yield return parameter;
            }
        }
    }
}
