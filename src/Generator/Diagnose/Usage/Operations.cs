using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Ways through the operations of a method.</summary>
internal static class Operations
{
    /// <summary>What stands under conversions and parentheses.</summary>
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

    /// <summary>The value of the argument for a parameter; null where it is not written.</summary>
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
    {
        IOperation root = inside;
        while (root.Parent is { } parent)
        {
            root = parent;
        }

        return root.Descendants()
            .OfType<ILocalReferenceOperation>()
            .Where(reference => !reference.IsDeclaration && SymbolEqualityComparer.Default.Equals(reference.Local, local));
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

    /// <summary>Where a local is declared in each round of a loop; null for one that the loop uses again.</summary>
    public static IVariableDeclaratorOperation? Declarator(ILocalSymbol local, ILoopOperation loop)
        => loop.Body.DescendantsAndSelf()
            .OfType<IVariableDeclaratorOperation>()
            .FirstOrDefault(found => SymbolEqualityComparer.Default.Equals(found.Symbol, local));

    public static bool IsFunction(IOperation operation) => operation is IAnonymousFunctionOperation or ILocalFunctionOperation;
}
