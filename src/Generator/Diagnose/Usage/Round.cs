using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>A loop that fills a target again in each iteration.</summary>
internal sealed class Round
{
    private readonly ILoopOperation _loop;
    private readonly IOperation _root;

    private Round(ILoopOperation loop, IOperation root)
    {
        _loop = loop;
        _root = root;
    }

    /// <summary>The loops around a call whose iterations share the target.</summary>
    public static IEnumerable<Round> Around(IOperation call, FilledTarget target)
    {
        for (IOperation? around = call.Parent; around is not null; around = around.Parent)
        {
            if (Operations.IsFunction(around) || (around is ILoopOperation own && target.IsDeclaredIn(own.Body)))
            {
                yield break;
            }

            if (around is ILoopOperation loop)
            {
                yield return new Round(loop, Operations.Root(call));
            }
        }
    }

    /// <summary>Whether an operation stands in the loop.</summary>
    public bool Has(IOperation operation) => _loop.Syntax.Span.Contains(operation.Syntax.Span);

    /// <summary>Whether a symbol is declared in the loop, so that each iteration has its own.</summary>
    public bool Declares(ISymbol symbol) => symbol.DeclaringSyntaxReferences.Any(
        part => part.SyntaxTree == _loop.Syntax.SyntaxTree && _loop.Body.Syntax.Span.Contains(part.Span));

    /// <summary>A local's declaration, if it has a type or var in front; null for one in a pattern or an out argument.</summary>
    public IVariableDeclaratorOperation? Declarator(ILocalSymbol local) => Operations.Declarator(local, _loop);

    /// <summary>The references to a local in the whole body around the loop.</summary>
    public IEnumerable<ILocalReferenceOperation> References(ILocalSymbol local) => Operations.References(local, _root);

    /// <summary>The outermost lambda inside the loop that contains an operation.</summary>
    public IOperation? Lambda(IOperation operation)
    {
        IOperation? lambda = null;
        for (IOperation? around = operation.Parent; around is not null && around != _loop; around = around.Parent)
        {
            lambda = around is IAnonymousFunctionOperation ? around : lambda;
        }

        return lambda;
    }

    /// <summary>Whether an iteration may end without reaching an operation.</summary>
    public bool MaySkip(IOperation operation)
    {
        for (IOperation around = operation; around.Parent is { } parent && around != _loop.Body; around = parent)
        {
            if ((parent is IConditionalOperation choice && around != choice.Condition)
                || (parent is IBinaryOperation both && around == both.RightOperand)
                || parent is ISwitchCaseOperation or ILoopOperation or ICatchClauseOperation or ISwitchExpressionArmOperation)
            {
                return parent != _loop;
            }
        }

        return _loop.Body.Descendants().OfType<IBranchOperation>().Any(
            branch => branch.Syntax.SpanStart < operation.Syntax.SpanStart && IsSame(branch.Target, _loop.ContinueLabel));
    }

    /// <summary>Whether the loop ends right after an operation.</summary>
    public bool EndsAfter(IOperation operation)
    {
        for (IOperation around = Lambda(operation) ?? operation; around.Parent is { } parent && !IsBorder(around); around = parent)
        {
            IEnumerable<IOperation> next = parent switch
            {
                IBlockOperation block => block.Operations.SkipWhile(other => other != around).Skip(1),
                ISwitchCaseOperation section => section.Body.SkipWhile(other => other != around).Skip(1),
                _ => [],
            };
            if (Leaves(around) || next.Any(Leaves))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Whether an iteration assigns another instance to the target, or gives the target to a method that may do so.</summary>
    public bool Sets(FilledTarget target) => _root.Descendants().Any(
        operation => target.IsNamedBy(operation) && operation != target.Reference && Has(operation) && IsSet(operation, target));

    private static bool IsSet(IOperation reference, FilledTarget target)
    {
        IOperation part = reference;
        while (part.Parent is ITupleOperation or IConversionOperation or IParenthesizedOperation)
        {
            part = part.Parent;
        }

        return part.Parent switch
        {
            ISimpleAssignmentOperation assignment => assignment.Target == part && !Fills(assignment.Value, target),
            IDeconstructionAssignmentOperation assignment => assignment.Target == part,
            IArgumentOperation { Parameter.RefKind: RefKind.Ref or RefKind.Out, Parent: IInvocationOperation call }
                => FilledTarget.Of(call) is not { } filled || !target.IsNamedBy(filled.Reference),
            _ => false,
        };
    }

    // order = await queue.DequeueAsync(order)
    private static bool Fills(IOperation value, FilledTarget target)
        => value.DescendantsAndSelf().OfType<IInvocationOperation>()
            .Any(call => FilledTarget.Of(call) is { } filled && target.IsNamedBy(filled.Reference));

    private bool IsBorder(IOperation operation) => operation == _loop || operation is ILocalFunctionOperation;

    private bool Leaves(IOperation statement) => statement switch
    {
        IReturnOperation { Kind: OperationKind.Return, IsImplicit: false } or IThrowOperation => true,
        IExpressionStatementOperation { Operation: IThrowOperation } => true,
        IBranchOperation branch => IsSame(branch.Target, _loop.ExitLabel)
            || (branch.BranchKind == BranchKind.GoTo
                && branch.Target.DeclaringSyntaxReferences.Any(part => !_loop.Syntax.Span.Contains(part.Span))),
        _ => false,
    };

    private static bool IsSame(ISymbol one, ISymbol other) => SymbolEqualityComparer.Default.Equals(one, other);
}
