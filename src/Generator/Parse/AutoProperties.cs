using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator.Parse;

/// <summary>Says whether a property stores a value, and whether its getter and setter have a body.</summary>
internal static class AutoProperties
{
    public static bool HasStorage(IPropertySymbol property)
    {
        foreach (ISymbol member in property.ContainingType.GetMembers())
        {
            if (member is IFieldSymbol { AssociatedSymbol: { } owner } && SymbolEqualityComparer.Default.Equals(owner, property))
            {
                return true;
            }
        }

        return IsCompiledAuto(property);
    }

    public static bool HasGetterBody(IPropertySymbol property) => HasBody(property, property.GetMethod);

    public static bool HasSetterBody(IPropertySymbol property) => HasBody(property, property.SetMethod);

    /// <summary>
    /// Whether the getter has no body, or one that only returns a field of the instance, or sets the field first if it is null.
    /// </summary>
    public static bool GetsWhatWasSet(IPropertySymbol property)
        => !HasGetterBody(property)
        || ((property.PartialImplementationPart ?? property).GetMethod is { DeclaringSyntaxReferences: [var reference, ..] }
            && IsOwn(Returned(reference.GetSyntax()), property.ContainingType));

    // The returned expression in "get => _items;", "get { return _items; }" and "Items => _items".
    private static ExpressionSyntax? Returned(SyntaxNode getter) => getter switch
    {
        AccessorDeclarationSyntax { ExpressionBody.Expression: var expression } => expression,
        AccessorDeclarationSyntax { Body.Statements: [ReturnStatementSyntax { Expression: var expression }] } => expression,
        ArrowExpressionClauseSyntax { Expression: var expression } => expression,
        _ => null,
    };

    private static bool IsOwn(ExpressionSyntax? returned, INamedTypeSymbol owner) => returned switch
    {
        FieldExpressionSyntax => true,
        IdentifierNameSyntax name => owner.GetMembers(name.Identifier.ValueText) is [IFieldSymbol { IsStatic: false }],
        MemberAccessExpressionSyntax { Expression: ThisExpressionSyntax, Name: var name } => IsOwn(name, owner),
        AssignmentExpressionSyntax
        {
            RawKind: (int)SyntaxKind.CoalesceAssignmentExpression,
            Left: var left,
            Right: BaseObjectCreationExpressionSyntax or CollectionExpressionSyntax,
        } => IsOwn(left, owner),
        _ => false,
    };

    private static bool HasBody(IPropertySymbol property, IMethodSymbol? method)
    {
        if (method is null)
        {
            return false;
        }

        if (property.IsPartialDefinition)
        {
            return true;
        }

        // For a compiled property, only [CompilerGenerated] shows that the compiler wrote its methods.
        if (method.DeclaringSyntaxReferences is not [var reference, ..])
        {
            return property.DeclaringSyntaxReferences.IsEmpty && !IsCompiledAuto(property);
        }

        return reference.GetSyntax() switch
        {
            AccessorDeclarationSyntax accessor => accessor.Body is not null || accessor.ExpressionBody is not null,
            ParameterSyntax => false,
            _ => true,
        };
    }

    private static bool IsCompiledAuto(IPropertySymbol property)
        => property.DeclaringSyntaxReferences.IsEmpty
        && property.GetMethod is { } getter
        && KnownTypes.Has(getter, KnownTypes.CompilerGenerated);
}
