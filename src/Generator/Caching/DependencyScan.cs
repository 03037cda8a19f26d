using BlitQueue.Generator.Parse;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// The declarations that a parse of one message may look at. Which types they name is the project's outline's matter; here is what can be
/// seen of those types: of the message and its base classes every member; of a type that they mention, its own declaration, those around
/// it and of its bases, and for a struct what lies in it. Where the parser looks further, this must, too.
/// </summary>
internal sealed class DependencyScan
{
    private readonly Compilation _compilation;
    private readonly Func<SyntaxTree, SourceFile> _fileOf;
    private readonly bool _isAnyStatic;
    private readonly CancellationToken _cancellation;
    private readonly HashSet<ISymbol> _seen = new(SymbolEqualityComparer.Default);
    private readonly HashSet<(SyntaxTree, int)> _declarations = [];

    private DependencyScan(Compilation compilation, Func<SyntaxTree, SourceFile> fileOf, bool isAnyStatic, CancellationToken cancellation)
    {
        _isAnyStatic = isAnyStatic;
        _compilation = compilation;
        _fileOf = fileOf;
        _cancellation = cancellation;
    }

    /// <summary>A file, and a declaration's number in it.</summary>
    public IReadOnlyCollection<(SyntaxTree Tree, int Outermost)> Declarations => _declarations;

    /// <summary>Whether that is all there is.</summary>
    public bool IsComplete { get; private set; } = true;

    /// <summary>What a parse of this message may look at.</summary>
    /// <param name="isAnyStatic">There is a global using static.</param>
    public static DependencyScan Of(
        INamedTypeSymbol message, Compilation compilation, Func<SyntaxTree, SourceFile> fileOf, bool isAnyStatic,
        CancellationToken cancellation)
    {
        var scan = new DependencyScan(compilation, fileOf, isAnyStatic, cancellation);
        scan.Mention(message);
        foreach (AttributeData named in NamedPackers.Attributes(compilation.Assembly))
        {
            scan.LookAt(named);
        }

        for (INamedTypeSymbol? type = message; type is not null && scan.IsOfSource(type); type = type.BaseType?.OriginalDefinition)
        {
            foreach (ISymbol member in type.GetMembers())
            {
                scan.LookAt(member);
            }
        }

        return scan;
    }

    // What another project declares is fixed with the reference to it.
    private bool IsOfSource(ISymbol symbol) => SymbolEqualityComparer.Default.Equals(symbol.ContainingAssembly, _compilation.Assembly);

    private void LookAt(ISymbol member)
    {
        LookAtAttributes(member);
        switch (member)
        {
            case IFieldSymbol field:
                Mention(field.Type);
                break;
            case IPropertySymbol property:
                Mention(property.Type);
                break;
            case IMethodSymbol { MethodKind: MethodKind.Constructor } constructor:
                foreach (IParameterSymbol parameter in constructor.Parameters)
                {
                    LookAt(parameter);
                }

                break;
        }
    }

    private void LookAt(IParameterSymbol parameter)
    {
        Mention(parameter.Type);
        LookAtAttributes(parameter);
        foreach (SyntaxReference declaration in parameter.DeclaringSyntaxReferences)
        {
            if (declaration.GetSyntax(_cancellation) is ParameterSyntax { Default.Value: { } value })
            {
                LookAtConstant(value);
            }
        }
    }

    private void Mention(ITypeSymbol? type)
    {
        switch (type)
        {
            case IArrayTypeSymbol array:
                Mention(array.ElementType);
                break;
            case IPointerTypeSymbol pointer:
                Mention(pointer.PointedAtType);
                break;
            case ITypeParameterSymbol parameter when _seen.Add(parameter):
                foreach (ITypeSymbol constraint in parameter.ConstraintTypes)
                {
                    Mention(constraint);
                }

                break;
            case INamedTypeSymbol named:
                foreach (ITypeSymbol argument in named.TypeArguments)
                {
                    Mention(argument);
                }

                MentionDefinition(named.OriginalDefinition);
                break;
        }
    }

    // The fields and bases of Pair<Place> are those of Pair<T> and its argument: by definitions there is an end to it.
    private void MentionDefinition(INamedTypeSymbol type)
    {
        if (!_seen.Add(type) || !IsOfSource(type))
        {
            return;
        }

        Declare(type);
        LookAtAttributes(type);
        Mention(type.ContainingType);
        Mention(type.BaseType);
        if (type.TypeKind == TypeKind.Interface)
        {
            foreach (INamedTypeSymbol contract in type.Interfaces)
            {
                Mention(contract);
            }
        }
        else if (type.TypeKind == TypeKind.Struct)
        {
            foreach (IFieldSymbol? field in type.GetMembers().OfType<IFieldSymbol>().Where(field => !field.IsStatic))
            {
                LookAt(field);
            }
        }
    }

    private void Declare(ISymbol symbol)
    {
        foreach (SyntaxReference declaration in symbol.DeclaringSyntaxReferences)
        {
            int outermost = _fileOf(declaration.SyntaxTree).OutermostAt(declaration.Span.Start);
            if (outermost >= 0)
            {
                _declarations.Add((declaration.SyntaxTree, outermost));
            }
            else
            {
                IsComplete = false;
            }
        }
    }

    private void LookAtAttributes(ISymbol symbol)
    {
        foreach (AttributeData attribute in symbol.GetAttributes())
        {
            LookAt(attribute);
        }
    }

    private void LookAt(AttributeData attribute)
    {
        Mention(attribute.AttributeClass);
        foreach (TypedConstant argument in attribute.ConstructorArguments)
        {
            LookAt(argument);
        }

        foreach (KeyValuePair<string, TypedConstant> argument in attribute.NamedArguments)
        {
            LookAt(argument.Value);
        }

        if (attribute.ApplicationSyntaxReference?.GetSyntax(_cancellation)
            is AttributeSyntax { ArgumentList.Arguments: var expressions })
        {
            foreach (AttributeArgumentSyntax expression in expressions)
            {
                LookAtConstant(expression.Expression);
            }
        }
    }

    private void LookAt(TypedConstant argument)
    {
        if (argument.Kind == TypedConstantKind.Type)
        {
            Mention(argument.Value as ITypeSymbol);
        }
        else if (argument is { Kind: TypedConstantKind.Array, IsNull: false })
        {
            foreach (TypedConstant item in argument.Values)
            {
                LookAt(item);
            }
        }
    }

    // The value of PackOrder(First + 1) is that of a constant which may stand anywhere.
    private void LookAtConstant(SyntaxNode expression)
    {
        SemanticModel? model = null;
        foreach (SyntaxNode node in expression.DescendantNodesAndSelf(node => !IsNameOnly(node)))
        {
            if (node is not SimpleNameSyntax name)
            {
                continue;
            }

            // Where the members of other types go by their bare names, any of them may come between.
            IsComplete &= !_isAnyStatic && !_fileOf(expression.SyntaxTree).HasStaticUsing;
            model ??= _compilation.GetSemanticModel(expression.SyntaxTree);
            LookAtPart(model.GetSymbolInfo(name, _cancellation).Symbol);
        }
    }

    private void LookAtPart(ISymbol? part)
    {
        switch (part)
        {
            case INamespaceSymbol:
                break;
            case ITypeSymbol type:
                Mention(type);
                break;
            case IFieldSymbol { IsConst: true } constant:
                Mention(constant.ContainingType);
                LookAtValue(constant);
                break;
            default:
                IsComplete = false;
                break;
        }
    }

    private void LookAtValue(IFieldSymbol constant)
    {
        if (!IsOfSource(constant) || !_seen.Add(constant))
        {
            return;
        }

        foreach (SyntaxReference declaration in constant.DeclaringSyntaxReferences)
        {
            // An enum's members count on from each other.
            SyntaxNode node = declaration.GetSyntax(_cancellation);
            foreach (EqualsValueClauseSyntax value in (node is EnumMemberDeclarationSyntax ? node.Parent! : node).DescendantNodes()
                .OfType<EqualsValueClauseSyntax>())
            {
                LookAtConstant(value.Value);
            }
        }
    }

    // What is said here is a type, which the outline knows, or nothing but a name.
    private static bool IsNameOnly(SyntaxNode node)
        => node is TypeOfExpressionSyntax
        or InvocationExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "nameof" } };
}
