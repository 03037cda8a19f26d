using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Finds out whether a message, or a part of it, is surely stored for longer than one iteration of the loop.</summary>
internal sealed class EscapeAnalysis
{
    private readonly Round _round;
    private readonly FilledTarget _target;
    private readonly HashSet<ISymbol> _followed = new(SymbolEqualityComparer.Default);

    public EscapeAnalysis(Round round, FilledTarget target)
    {
        _round = round;
        _target = target;
    }

    /// <summary>Whether what a reference reads is stored for longer, or the lambda that contains the reference.</summary>
    public bool Escapes(IOperation reference)
        => _round.Lambda(reference) is { } lambda ? ValueEscapes(lambda) || IsMade(reference) : ValueEscapes(reference);

    private bool ValueEscapes(IOperation reference)
    {
        IOperation value = Carriers.Last(reference);
        return value.Parent switch
        {
            IArgumentOperation argument => ArgumentEscapes(argument, value),
            IEventAssignmentOperation => true,
            IAssignmentOperation assignment => assignment.Value == value && IsAssigned(assignment.Target, assignment),
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } => AliasEscapes(declarator.Symbol),
            IIsPatternOperation test => test.Value == value && AnyAliasEscapes(test.Pattern),
            ISwitchOperation choice => choice.Value == value && choice.Cases.SelectMany(section => section.Clauses)
                .OfType<IPatternCaseClauseOperation>().Any(clause => AnyAliasEscapes(clause.Pattern)),
            ISwitchExpressionOperation choice => choice.Value == value && choice.Arms.Any(arm => AnyAliasEscapes(arm.Pattern)),
            _ => false,
        };
    }

    // GetOrAdd(key, factory) and its like store what the lambda returns.
    private static bool IsMade(IOperation reference)
        => Carriers.Last(reference).Parent is IReturnOperation { Parent: IBlockOperation { Parent: IAnonymousFunctionOperation lambda } }
        && Carriers.Last(lambda).Parent is IArgumentOperation { Parent: IInvocationOperation call }
        && StoringCalls.IsAdder(call);

    private bool ArgumentEscapes(IArgumentOperation argument, IOperation value) => argument.Parent switch
    {
        IObjectCreationOperation { Type: { } type } => value is IDelegateCreationOperation && Framework.Has(type, "Threading"),
        IInvocationOperation call when StoringCalls.IsAdder(call) => IsAdded(argument, call, value),
        IInvocationOperation call when StoringCalls.IsSetter(call, argument, out IOperation? target) => IsAssigned(target!, call),
        IInvocationOperation call when StoringCalls.IsLater(call) => !StoringCalls.IsTask(call.Type) || IsUnawaited(call),
        IInvocationOperation call => value is not IDelegateCreationOperation && (StoringCalls.IsSource(call) || IsUnawaited(call)),
        _ => false,
    };

    private bool IsAdded(IArgumentOperation argument, IInvocationOperation call, IOperation value)
    {
        // AddRange stores the elements of its argument, not the list itself; and a factory lambda is called at once, not stored.
        bool isItself = argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol || !StoringCalls.IsRange(call);
        bool isStored = value is IDelegateCreationOperation
            ? argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol
            : isItself || FilledTypes.HasFilledElements(value.Type);
        return isStored && IsLasting(Operations.Receiver(call) ?? call);
    }

    // A task that is not awaited still runs in the next iteration.
    private bool IsUnawaited(IInvocationOperation call) => StoringCalls.IsTask(call.Type) && TaskEscapes(call);

    private bool TaskEscapes(IOperation task)
    {
        IOperation value = Carriers.Last(task);
        return value.Parent switch
        {
            IExpressionStatementOperation => true,
            ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
            IArgumentOperation { Parent: IInvocationOperation outer } => StoringCalls.IsAdder(outer)
                && IsLasting(Operations.Receiver(outer) ?? outer),
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator }
                => _followed.Add(declarator.Symbol) && _round.References(declarator.Symbol).Any(TaskEscapes),
            _ => false,
        };
    }

    private bool AnyAliasEscapes(IPatternOperation pattern) => pattern switch
    {
        IDeclarationPatternOperation { DeclaredSymbol: ILocalSymbol local } => AliasEscapes(local),
        IRecursivePatternOperation { DeclaredSymbol: ILocalSymbol local } => AliasEscapes(local),
        IListPatternOperation { DeclaredSymbol: ILocalSymbol local } => AliasEscapes(local),
        IBinaryPatternOperation both => AnyAliasEscapes(both.LeftPattern) || AnyAliasEscapes(both.RightPattern),
        _ => false,
    };

    private bool AliasEscapes(ILocalSymbol local)
        => _followed.Add(local) && _round.References(local).Any(reference => _round.Has(reference) && Escapes(reference));

    private bool IsAssigned(IOperation target, IOperation assignment) => target switch
    {
        IFieldReferenceOperation or IPropertyReferenceOperation or IArrayElementReferenceOperation => IsLasting(target),

        // A ref return: a slot in a dictionary, for example.
        IInvocationOperation => true,
        ILocalReferenceOperation { Local.RefKind: not RefKind.None } => true,
        ILocalReferenceOperation { Local: var local } => _round.Declares(local) ? AliasEscapes(local) : IsReadLater(target, assignment),
        IParameterReferenceOperation => IsReadLater(target, assignment),
        _ => false,
    };

    // A variable that every iteration sets is right to have the last message behind the loop. It is wrong to read it before it is set
    // again, or if only some iterations set it.
    private bool IsReadLater(IOperation variable, IOperation assignment)
    {
        ISymbol symbol = Operations.Variable(variable)!;
        if (_target.IsNamedBy(variable))
        {
            return false;
        }

        var reads = Operations.Root(assignment).Descendants()
            .Where(other => other != variable && SymbolEqualityComparer.Default.Equals(Operations.Variable(other), symbol)
                && other.Parent is not ISimpleAssignmentOperation)
            .ToList();
        return _round.MaySkip(assignment) || assignment is ICoalesceAssignmentOperation or ICompoundAssignmentOperation
            ? reads.Count > 0 || variable is IParameterReferenceOperation { Parameter.RefKind: not RefKind.None }
            : reads.Exists(read => _round.Has(read) && read.Syntax.SpanStart < assignment.Syntax.Span.End);
    }

    // An object made in the iteration ends with it, unless it is stored for longer itself.
    private bool IsLasting(IOperation target)
    {
        IOperation owner = Operations.Owner(target);
        return owner is not ILocalReferenceOperation { Local: var local } || !_round.Declares(local) || !IsFresh(local)
            ? !_target.IsNamedBy(owner)
            : AliasEscapes(local);
    }

    private bool IsFresh(ILocalSymbol local)
        => _round.Declarator(local)?.GetVariableInitializer() is { Value: var value }
        && Operations.Bare(value) is IObjectCreationOperation or IArrayCreationOperation or ICollectionExpressionOperation
            or IAnonymousObjectCreationOperation or IWithOperation;
}
