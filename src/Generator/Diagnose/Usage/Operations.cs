using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Navigates the operation tree of a method.</summary>
internal static class Operations
{
    /// <summary>The operation inside conversions and parentheses.</summary>
    public static IOperation Bare(IOperation operation)
    {
        while (true)
        {
            switch (operation)
            {
                case IConversionOperation conversion:
                    operation = conversion.Operand;
                    break;
                case IParenthesizedOperation parenthesized:
                    operation = parenthesized.Operand;
                    break;
                default:
                    return operation;
            }
        }
    }

    /// <summary>The value of the argument for a parameter; null if the source has no such argument.</summary>
    public static IOperation? Argument(IInvocationOperation call, int parameter)
    {
        foreach (IArgumentOperation argument in call.Arguments)
        {
            if (argument.Parameter?.Ordinal == parameter && argument.ArgumentKind == ArgumentKind.Explicit)
            {
                return argument.Value;
            }
        }

        return null;
    }

    /// <summary>The references to a local, in the whole body around an operation.</summary>
    public static IEnumerable<ILocalReferenceOperation> References(ILocalSymbol local, IOperation inside)
        => Root(inside).Descendants()
            .OfType<ILocalReferenceOperation>()
            .Where(reference => !reference.IsDeclaration && SymbolEqualityComparer.Default.Equals(reference.Local, local));

    /// <summary>The whole body around an operation.</summary>
    public static IOperation Root(IOperation inside)
    {
        while (inside.Parent is { } parent)
        {
            inside = parent;
        }

        return inside;
    }

    /// <summary>The instance that a method is called on; null for a static method.</summary>
    public static IOperation? Receiver(IInvocationOperation call) => Accessed(call.Instance);

    /// <summary>The local or parameter that is read or written; null for anything else.</summary>
    public static ISymbol? Variable(IOperation operation) => operation switch
    {
        ILocalReferenceOperation { IsDeclaration: false } local => local.Local,
        IParameterReferenceOperation parameter => parameter.Parameter,
        _ => null,
    };

    /// <summary>The variable or value at the beginning of <c>a.B.C[0]</c>.</summary>
    public static IOperation Owner(IOperation operation)
    {
        while (true)
        {
            IOperation bare = Bare(operation);
            IOperation? instance = Accessed(bare switch
            {
                IMemberReferenceOperation member => member.Instance,
                IArrayElementReferenceOperation element => element.ArrayReference,
                _ => null,
            });
            if (instance is null)
            {
                return bare;
            }

            operation = instance;
        }
    }

    /// <summary>The innermost loop around an operation, in the same method or lambda.</summary>
    public static ILoopOperation? Loop(IOperation operation)
    {
        for (IOperation? around = operation.Parent; around is not null && !IsFunction(around); around = around.Parent)
        {
            if (around is ILoopOperation loop)
            {
                return loop;
            }
        }

        return null;
    }

    /// <summary>
    /// The declaration of a local inside a loop's body; null if it is declared elsewhere, so that all iterations share it.
    /// </summary>
    public static IVariableDeclaratorOperation? Declarator(ILocalSymbol local, ILoopOperation loop)
        => loop.Body.DescendantsAndSelf()
            .OfType<IVariableDeclaratorOperation>()
            .FirstOrDefault(found => SymbolEqualityComparer.Default.Equals(found.Symbol, local));

    public static bool IsFunction(IOperation operation) => operation is IAnonymousFunctionOperation or ILocalFunctionOperation;

    // In a?.B() the instance of B is a placeholder for a.
    private static IOperation? Accessed(IOperation? instance)
    {
        if (instance is not IConditionalAccessInstanceOperation)
        {
            return instance;
        }

        IOperation? around = instance.Parent;
        while (around is not null and not IConditionalAccessOperation)
        {
            around = around.Parent;
        }

        return (around as IConditionalAccessOperation)?.Operation;
    }
}
