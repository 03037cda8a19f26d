using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0102: the type argument of a queue or of the packer is no message.</summary>
/// <remarks>
/// The compiler reports the broken constraint as well, in terms of reference conversions to IPackable. This rule says what to do, and has
/// the code fix. It skips marked types that could not be generated: diagnostics at their declaration say why.
/// </remarks>
internal static class NoMessageRule
{
    /// <summary>Checks a written type argument: <c>MappedQueue&lt;Customer&gt;</c>, <c>Packer.Unpack&lt;Customer&gt;(bytes)</c>.</summary>
    public static void CheckName(SyntaxNodeAnalysisContext context)
    {
        var name = (GenericNameSyntax)context.Node;
        if (name.TypeArgumentList.Arguments.Count != 1 || !IsWanted(name.Identifier.ValueText))
        {
            return;
        }

        TypeSyntax argument = name.TypeArgumentList.Arguments[0];
        if (Targets(context.SemanticModel.GetSymbolInfo(name, context.CancellationToken)))
        {
            Report(context, argument, context.SemanticModel.GetTypeInfo(argument, context.CancellationToken).Type);
        }
    }

    /// <summary>Checks an inferred type argument: <c>Packer.Pack(customer)</c>.</summary>
    public static void CheckCall(SyntaxNodeAnalysisContext context)
    {
        var call = (InvocationExpressionSyntax)context.Node;
        ExpressionSyntax name = call.Expression is MemberAccessExpressionSyntax access ? access.Name : call.Expression;
        if (name is not IdentifierNameSyntax { Identifier.ValueText: "Pack" or "Unpack" }
            || call.ArgumentList.Arguments.Count is not (1 or 2))
        {
            return;
        }

        SymbolInfo info = context.SemanticModel.GetSymbolInfo(call, context.CancellationToken);
        ExpressionSyntax message = call.ArgumentList.Arguments[call.ArgumentList.Arguments.Count - 1].Expression;
        if (info.Symbol is null && Targets(info))
        {
            Report(context, message, context.SemanticModel.GetTypeInfo(message, context.CancellationToken).Type);
        }
    }

    private static bool IsWanted(string name) => name is "MappedQueue" or "Subscription" or "Lease" or "Pack" or "Unpack";

    private static bool Targets(SymbolInfo info)
        => Targets(info.Symbol) || info.CandidateSymbols.Any(candidate => Targets(candidate));

    private static bool Targets(ISymbol? symbol) => symbol switch
    {
        INamedTypeSymbol type => KnownTypes.Is(type.OriginalDefinition, KnownTypes.MappedQueue)
            || KnownTypes.Is(type.OriginalDefinition, KnownTypes.Subscription)
            || KnownTypes.Is(type.OriginalDefinition, KnownTypes.Lease),
        IMethodSymbol method => KnownTypes.Is(method.ContainingType, KnownTypes.Packer),
        _ => false,
    };

    private static void Report(SyntaxNodeAnalysisContext context, SyntaxNode at, ITypeSymbol? type)
    {
        if (type is not null && Reason(type) is { } reason)
        {
            string name = type.WithNullableAnnotation(NullableAnnotation.None)
                .ToDisplayString(SymbolDisplayFormat.MinimallyQualifiedFormat);
            context.ReportDiagnostic(Diagnostic.Create(Descriptors.NoMessage, at.GetLocation(), name, reason));
        }
    }

    private static string? Reason(ITypeSymbol type) => type switch
    {
        IErrorTypeSymbol => null,
        ITypeParameterSymbol parameter => HasContract(parameter)
            ? null
            : $"constrain it by 'where {parameter.Name} : IPackable<{parameter.Name}>'",
        INamedTypeSymbol { OriginalDefinition.SpecialType: SpecialType.System_Nullable_T }
            => "messages are not nullable, take the type without '?'",
        _ when IsBytes(type) => "use RawMessage, a message that is raw bytes",
        INamedTypeSymbol named => IsMessage(named) ? null : Advice(named),
        _ => "give it to a message as a member",
    };

    private static bool IsBytes(ITypeSymbol type) => type switch
    {
        IArrayTypeSymbol { Rank: 1, ElementType.SpecialType: SpecialType.System_Byte } => true,
        INamedTypeSymbol { TypeArguments: [{ SpecialType: SpecialType.System_Byte }] } named
            => named.Name is "Memory" or "ReadOnlyMemory" or "Span" or "ReadOnlySpan"
            && named.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true },
        _ => false,
    };

    private static bool HasContract(ITypeParameterSymbol parameter)
        => parameter.ConstraintTypes.Any(constraint => constraint switch
        {
            ITypeParameterSymbol other => HasContract(other),
            INamedTypeSymbol named => KnownTypes.Is(named.OriginalDefinition, KnownTypes.IPackable)
                || named.AllInterfaces.Any(contract => KnownTypes.Is(contract.OriginalDefinition, KnownTypes.IPackable)),
            _ => false,
        });

    private static bool IsMessage(INamedTypeSymbol type)
        => KnownTypes.Has(type.OriginalDefinition, KnownTypes.QueueMessage) || KnownTypes.ImplementsPackable(type);

    private static string Advice(INamedTypeSymbol type)
        => type.DeclaringSyntaxReferences.Length > 0 && type.TypeKind is TypeKind.Class or TypeKind.Struct or TypeKind.Interface
            ? "mark it [QueueMessage] and make it partial"
            : "give it to a message as a member";
}
