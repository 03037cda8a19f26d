using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>
/// Follows a value outwards: to the tuple or new object that contains it, and to its property or element that is filled together with it.
/// </summary>
internal static class Carriers
{
    /// <summary>The outermost operation that still has the value, or a part of it, as its result.</summary>
    public static IOperation Last(IOperation value)
    {
        while (Next(value) is { } next)
        {
            value = next;
        }

        return value;
    }

    private static IOperation? Next(IOperation value) => value.Parent switch
    {
        IConversionOperation or IParenthesizedOperation or ICoalesceOperation or ITupleOperation or IDelegateCreationOperation
            or ICollectionExpressionOperation => value.Parent,
        IConditionalOperation { Type: not null } choice => value == choice.Condition ? null : choice,
        ISwitchExpressionArmOperation arm => value == arm.Value ? arm.Parent : null,
        IArrayInitializerOperation { Parent: IArrayCreationOperation array } => array,
        ISpreadOperation spread => FilledTypes.HasFilledElements(value.Type) ? spread.Parent : null,
        ISimpleAssignmentOperation { Parent: IAnonymousObjectCreationOperation made } => made,
        ISimpleAssignmentOperation { Parent: IObjectOrCollectionInitializerOperation initializer } assignment
            => value == assignment.Value ? Made(initializer) : null,
        IArgumentOperation argument => Taker(argument, value),
        IConditionalAccessOperation access => value == access.Operation && IsPart(access.WhenNotNull) ? access : null,
        IArrayElementReferenceOperation element => value == element.ArrayReference && IsPart(element) ? element : null,
        IMemberReferenceOperation member => value == member.Instance && IsPart(member) ? member : null,
        _ => null,
    };

    private static IOperation? Made(IOperation initializer) => initializer.Parent switch
    {
        IMemberInitializerOperation { Parent: { } around } => Made(around),
        IObjectCreationOperation or IWithOperation => initializer.Parent,
        _ => null,
    };

    private static IOperation? Taker(IArgumentOperation argument, IOperation value) => argument.Parent switch
    {
        IInvocationOperation { Parent: IObjectOrCollectionInitializerOperation initializer } => Made(initializer),
        IObjectCreationOperation { Constructor: { } constructor } made => Takes(constructor, value) ? made : null,
        IInvocationOperation call when IsMaker(call.TargetMethod) => call,
        IInvocationOperation call when IsCopier(call.TargetMethod) => FilledTypes.HasFilledElements(value.Type) ? call : null,
        _ => null,
    };

    // Positional records and pairs contain their arguments; a collection that copies another contains its elements.
    private static bool Takes(IMethodSymbol constructor, IOperation value)
    {
        INamedTypeSymbol type = constructor.ContainingType;
        return Framework.Has(type, "Collections")
            ? type.Name == "KeyValuePair" || FilledTypes.HasFilledElements(value.Type)
            : (type.IsRecord && IsPositional(constructor)) || (type.Name is "Tuple" or "ValueTuple" && Framework.Has(type, part: null));
    }

    private static bool IsPositional(IMethodSymbol constructor)
        => !constructor.Parameters.IsEmpty && constructor.Parameters.All(parameter => constructor.ContainingType.GetMembers(parameter.Name)
            .OfType<IPropertySymbol>()
            .Any(property => property.DeclaringSyntaxReferences.Any(
                part => parameter.DeclaringSyntaxReferences.Any(other => other.Span == part.Span))));

    private static bool IsMaker(IMethodSymbol method)
        => method.Name == "Create" && method.ContainingType is { Name: "KeyValuePair" or "Tuple" or "ValueTuple" } type
        && Framework.Has(type, part: null);

    private static bool IsCopier(IMethodSymbol method)
        => method is { Name: "ToList" or "ToArray" or "ToHashSet", ContainingType.Name: "Enumerable" }
        && Framework.Has(method.ContainingType, "Linq");

    // A computed property may return a new instance each time.
    private static bool IsPart(IOperation member) => member.Type is { } type && FilledTypes.IsFilled(type) && member switch
    {
        IArrayElementReferenceOperation => true,
        IFieldReferenceOperation field => !field.Field.IsReadOnly && IsPacked(field.Field),
        IPropertyReferenceOperation { Property: { IsIndexer: true } indexer } => Framework.Has(indexer.ContainingType, "Collections"),
        IPropertyReferenceOperation property => property.Property.SetMethod is { IsInitOnly: false } && IsPacked(property.Property),
        _ => false,
    };

    private static bool IsPacked(ISymbol member)
        => KnownTypes.Has(member.ContainingType.OriginalDefinition, KnownTypes.QueueMessage)
        && !KnownTypes.Has(member, KnownTypes.PackIgnore);
}
