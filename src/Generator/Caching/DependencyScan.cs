using BlitQueue.Generator.Parse;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Caching;

/// <summary>
/// Finds the declarations that a parse of one message may look at: of the message and its base classes, every member; of a type that these
/// mention, its own declaration, those of the types around it and of its bases, and for a struct its fields. Which type a name stands for
/// is not looked at here: that is part of the <see cref="ProjectOutline"/>. Invariant: the parser looks at no declaration that is not found
/// here.
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

    /// <summary>Whether <see cref="Declarations"/> has everything; if not, the result of the parse must not be cached.</summary>
    public bool IsComplete { get; private set; } = true;

    /// <summary>Finds what a parse of this message may look at.</summary>
    /// <param name="isAnyStatic">Whether the project has a global using static.</param>
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

    // Another project's declarations cannot change while the reference to it is the same.
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

    // Follows Pair<T> and the argument instead of Pair<Point>: there are finitely many definitions, but may be infinitely many closed
    // types.
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

    // In PackOrder(First + 1) the constant First may be declared in any type.
    private void LookAtConstant(SyntaxNode expression)
    {
        SemanticModel? model = null;
        foreach (SyntaxNode node in expression.DescendantNodesAndSelf(node => !IsNameOnly(node)))
        {
            if (node is not SimpleNameSyntax name)
            {
                continue;
            }

            // With using static, a member of any imported type may be what a bare name means.
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
            // The whole enum: a member's value may depend on those in front of it.
            SyntaxNode node = declaration.GetSyntax(_cancellation);
            foreach (EqualsValueClauseSyntax value in (node is EnumMemberDeclarationSyntax ? node.Parent! : node).DescendantNodes()
                .OfType<EqualsValueClauseSyntax>())
            {
                LookAtConstant(value.Value);
            }
        }
    }

    // The expression is a type, which the outline covers, or only a name, as in nameof.
    private static bool IsNameOnly(SyntaxNode node)
        => node is TypeOfExpressionSyntax
        or InvocationExpressionSyntax { Expression: IdentifierNameSyntax { Identifier.ValueText: "nameof" } };
}
