using System.Collections.Concurrent;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0106 for queues in private fields: collects what a class, all of its parts, does with each of them.</summary>
internal static class UnreadDefaultFields
{
    public static void Register(SymbolStartAnalysisContext context)
    {
        HashSet<ISymbol> queues = new(
            ((INamedTypeSymbol)context.Symbol).GetMembers().OfType<IFieldSymbol>().Where(IsPrivateQueue), SymbolEqualityComparer.Default);
        if (queues.Count == 0)
        {
            return;
        }

        var values = new ConcurrentBag<(ISymbol Field, IOperation Value)>();
        var references = new ConcurrentBag<IFieldReferenceOperation>();
        context.RegisterOperationAction(
            operation =>
            {
                var reference = (IFieldReferenceOperation)operation.Operation;
                if (queues.Contains(reference.Field))
                {
                    references.Add(reference);
                    if (reference.Parent is ISimpleAssignmentOperation assignment && assignment.Target == reference)
                    {
                        values.Add((reference.Field, assignment.Value));
                    }
                }
            },
            OperationKind.FieldReference);
        context.RegisterOperationAction(
            operation =>
            {
                var initializer = (IFieldInitializerOperation)operation.Operation;
                foreach (IFieldSymbol field in initializer.InitializedFields.Where(queues.Contains))
                {
                    values.Add((field, initializer.Value));
                }
            },
            OperationKind.FieldInitializer);
        context.RegisterSymbolEndAction(end =>
        {
            foreach (ISymbol queue in queues)
            {
                UnreadDefaultRule.Check(
                    end.ReportDiagnostic, queue,
                    [.. values.Where(one => Is(one.Field, queue)).Select(static one => one.Value).Where(static value => !IsNull(value))],
                    [.. references.Where(one => Is(one.Field, queue))]);
            }
        });
    }

    private static bool IsPrivateQueue(IFieldSymbol field) => field.DeclaredAccessibility == Accessibility.Private
        && !field.IsImplicitlyDeclared && field.Type is INamedTypeSymbol type && KnownTypes.Is(type, KnownTypes.MappedQueue);

    private static bool Is(ISymbol one, ISymbol other) => SymbolEqualityComparer.Default.Equals(one, other);

    // As in `= null!`, which another assignment replaces.
    private static bool IsNull(IOperation value) => Operations.Bare(value).ConstantValue is { HasValue: true, Value: null };
}
