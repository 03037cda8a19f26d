using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0101: a message is unpacked into a local that begins as null, or as new, in each round of a loop.</summary>
/// <remarks>
/// Silent where the message may be needed after its round: it is returned, stored, captured or added to a collection. Moving its local out
/// of the loop would then make all of them one. What another method does with it cannot be seen.
/// </remarks>
internal static class FreshInLoopRule
{
    public static void Check(OperationAnalysisContext context, IInvocationOperation call)
    {
        if (Operations.Argument(call, 0) is not ILocalReferenceOperation { IsDeclaration: false } target
            || target.Local.Type.IsUnmanagedType
            || Declarator(target.Local, call) is not { } declarator
            || !IsFresh(declarator))
            return;

        foreach (var reference in Operations.References(target.Local, call))
        {
            if (Outlives(reference, call))
                return;
        }

        context.ReportDiagnostic(Diagnostic.Create(
            Descriptors.FreshInLoop, target.Syntax.GetLocation(), [declarator.Syntax.GetLocation()], target.Local.Name));
    }

    // In the body of the innermost loop around the call: a local outside of that is reused by the loop.
    private static IVariableDeclaratorOperation? Declarator(ILocalSymbol local, IOperation call)
    {
        for (var around = call.Parent; around is not null && !Operations.IsFunction(around); around = around.Parent)
        {
            if (around is ILoopOperation loop)
            {
                return loop.Body.DescendantsAndSelf()
                    .OfType<IVariableDeclaratorOperation>()
                    .FirstOrDefault(found => SymbolEqualityComparer.Default.Equals(found.Symbol, local));
            }
        }

        return null;
    }

    private static bool IsFresh(IVariableDeclaratorOperation declarator)
        => declarator.GetVariableInitializer() is not { } initializer
        || Operations.Bare(initializer.Value) is IDefaultValueOperation or IObjectCreationOperation or { ConstantValue: { HasValue: true, Value: null } };

    private static bool Outlives(ILocalReferenceOperation reference, IOperation call)
    {
        for (var around = reference.Parent; around is not null; around = around.Parent)
        {
            if (Operations.IsFunction(around) && !around.Syntax.Span.Contains(call.Syntax.Span))
                return true;
        }

        IOperation value = reference;
        while (value.Parent is IConversionOperation or IParenthesizedOperation or IConditionalOperation or ICoalesceOperation)
            value = value.Parent;

        return value.Parent switch
        {
            // Given a value elsewhere: it may be an instance that is used again.
            IAssignmentOperation => true,
            IReturnOperation or IVariableInitializerOperation or IArrayInitializerOperation or ICollectionExpressionOperation
                or ITupleOperation or IObjectOrCollectionInitializerOperation => true,
            IArgumentOperation argument => Keeps(argument),
            _ => false,
        };
    }

    private static bool Keeps(IArgumentOperation argument) => argument.Parent switch
    {
        IObjectCreationOperation => true,
        IInvocationOperation call => IsCollection(call.Instance?.Type ?? call.TargetMethod.ContainingType),
        _ => false,
    };

    private static bool IsCollection(ITypeSymbol type)
    {
        for (var space = type.ContainingNamespace; space is { IsGlobalNamespace: false }; space = space.ContainingNamespace)
        {
            if (space.ContainingNamespace is { Name: "System", ContainingNamespace.IsGlobalNamespace: true } && space.Name == "Collections")
                return true;
            if (space is { Name: "Channels", ContainingNamespace.Name: "Threading" })
                return true;
        }

        return false;
    }
}
