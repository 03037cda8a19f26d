using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>Whether a message, or a part of it, surely stays somewhere for longer than a round of the loop.</summary>
internal sealed class Keeping
{
    private readonly Round _round;
    private readonly FilledTarget _target;
    private readonly HashSet<ISymbol> _followed = new(SymbolEqualityComparer.Default);

    public Keeping(Round round, FilledTarget target)
    {
        _round = round;
        _target = target;
    }

    /// <summary>Whether what a reference reads is kept, or the lambda that it stands in.</summary>
    public bool IsKept(IOperation reference)
        => _round.Lambda(reference) is { } lambda ? IsValueKept(lambda) || IsMade(reference) : IsValueKept(reference);

    private bool IsValueKept(IOperation reference)
    {
        IOperation value = Carriers.Last(reference);
        return value.Parent switch
        {
            IArgumentOperation argument => IsArgumentKept(argument, value),
            IEventAssignmentOperation => true,
            IAssignmentOperation assignment => assignment.Value == value && IsAssigned(assignment.Target, assignment),
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator } => IsAliasKept(declarator.Symbol),
            IIsPatternOperation test => test.Value == value && AreAliasesKept(test.Pattern),
            ISwitchOperation choice => choice.Value == value && choice.Cases.SelectMany(section => section.Clauses)
                .OfType<IPatternCaseClauseOperation>().Any(clause => AreAliasesKept(clause.Pattern)),
            ISwitchExpressionOperation choice => choice.Value == value && choice.Arms.Any(arm => AreAliasesKept(arm.Pattern)),
            _ => false,
        };
    }

    // A dictionary keeps what the lambda returns that it is given to make a value.
    private static bool IsMade(IOperation reference)
        => Carriers.Last(reference).Parent is IReturnOperation { Parent: IBlockOperation { Parent: IAnonymousFunctionOperation lambda } }
        && Carriers.Last(lambda).Parent is IArgumentOperation { Parent: IInvocationOperation call }
        && Keepers.IsAdder(call);

    private bool IsArgumentKept(IArgumentOperation argument, IOperation value) => argument.Parent switch
    {
        IObjectCreationOperation { Type: { } type } => value is IDelegateCreationOperation && Framework.Has(type, "Threading"),
        IInvocationOperation call when Keepers.IsAdder(call) => IsAdded(argument, call, value),
        IInvocationOperation call when Keepers.IsSetter(call, argument, out IOperation? place) => IsAssigned(place!, call),
        IInvocationOperation call when Keepers.IsLater(call) => !Keepers.IsTask(call.Type) || IsUnawaited(call),
        IInvocationOperation call => value is not IDelegateCreationOperation && (Keepers.IsSource(call) || IsUnawaited(call)),
        _ => false,
    };

    private bool IsAdded(IArgumentOperation argument, IInvocationOperation call, IOperation value)
    {
        // Not the list is kept that AddRange is given, and no lambda that is called at once.
        bool isItself = argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol || !Keepers.IsRange(call);
        bool isStored = value is IDelegateCreationOperation
            ? argument.Parameter?.OriginalDefinition.Type is ITypeParameterSymbol
            : isItself || FilledTypes.HasFilledElements(value.Type);
        return isStored && IsLasting(Operations.Receiver(call) ?? call);
    }

    // What has been begun goes on in the next round.
    private bool IsUnawaited(IInvocationOperation call) => Keepers.IsTask(call.Type) && IsTaskKept(call);

    private bool IsTaskKept(IOperation task)
    {
        IOperation value = Carriers.Last(task);
        return value.Parent switch
        {
            IExpressionStatementOperation => true,
            ISimpleAssignmentOperation { Target: IDiscardOperation } => true,
            IArgumentOperation { Parent: IInvocationOperation outer } => Keepers.IsAdder(outer)
                && IsLasting(Operations.Receiver(outer) ?? outer),
            IVariableInitializerOperation { Parent: IVariableDeclaratorOperation declarator }
                => _followed.Add(declarator.Symbol) && _round.References(declarator.Symbol).Any(IsTaskKept),
            _ => false,
        };
    }

    private bool AreAliasesKept(IPatternOperation pattern) => pattern switch
    {
        IDeclarationPatternOperation { DeclaredSymbol: ILocalSymbol local } => IsAliasKept(local),
        IRecursivePatternOperation { DeclaredSymbol: ILocalSymbol local } => IsAliasKept(local),
        IListPatternOperation { DeclaredSymbol: ILocalSymbol local } => IsAliasKept(local),
        IBinaryPatternOperation both => AreAliasesKept(both.LeftPattern) || AreAliasesKept(both.RightPattern),
        _ => false,
    };

    private bool IsAliasKept(ILocalSymbol local)
        => _followed.Add(local) && _round.References(local).Any(reference => _round.Has(reference) && IsKept(reference));

    private bool IsAssigned(IOperation target, IOperation assignment) => target switch
    {
        IFieldReferenceOperation or IPropertyReferenceOperation or IArrayElementReferenceOperation => IsLasting(target),

        // A ref return: a place in a dictionary, say.
        IInvocationOperation => true,
        ILocalReferenceOperation { Local.RefKind: not RefKind.None } => true,
        ILocalReferenceOperation { Local: var local } => _round.Declares(local) ? IsAliasKept(local) : IsReadLater(target, assignment),
        IParameterReferenceOperation => IsReadLater(target, assignment),
        _ => false,
    };

    // What always holds the last message is right behind the loop: what it holds in between, or of some rounds alone, is not.
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

    // What was made in the round is gone with it, unless it is kept itself.
    private bool IsLasting(IOperation place)
    {
        IOperation owner = Operations.Owner(place);
        return owner is not ILocalReferenceOperation { Local: var local } || !_round.Declares(local) || !IsFresh(local)
            ? !_target.IsNamedBy(owner)
            : IsAliasKept(local);
    }

    private bool IsFresh(ILocalSymbol local)
        => _round.Declarator(local)?.GetVariableInitializer() is { Value: var value }
        && Operations.Bare(value) is IObjectCreationOperation or IArrayCreationOperation or ICollectionExpressionOperation
            or IAnonymousObjectCreationOperation or IWithOperation;
}
