using BlitQueue.Generator.Parse;
using BlitQueue.Generator.Parse.Arguments;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>
/// BQ0006 where the source does not name the message: a generic type or method of another assembly constructs it from its type argument.
/// </summary>
internal static class CarriedArgumentRule
{
    public static void Register(CompilationStartAnalysisContext context)
    {
        ILookup<ISymbol, INamedTypeSymbol> forms = CarriedForms.Referenced(context.Compilation)
            .ToLookup<INamedTypeSymbol, ISymbol>(form => TypeTrees.OwnersOf(form)[0], SymbolEqualityComparer.Default);
        if (forms.Count == 0)
        {
            return;
        }

        context.RegisterOperationAction(operation => CheckCall(operation, forms), OperationKind.Invocation);
        context.RegisterSyntaxNodeAction(name => CheckName(name, forms), SyntaxKind.GenericName);
    }

    private static void CheckCall(OperationAnalysisContext context, ILookup<ISymbol, INamedTypeSymbol> forms)
    {
        IMethodSymbol method = ((IInvocationOperation)context.Operation).TargetMethod;
        if (method.Arity > 0)
        {
            Check(method, forms, context.Compilation, context.Operation.Syntax, context.ReportDiagnostic);
        }
    }

    private static void CheckName(SyntaxNodeAnalysisContext context, ILookup<ISymbol, INamedTypeSymbol> forms)
    {
        var name = (GenericNameSyntax)context.Node;
        if (!name.IsUnboundGenericName
            && context.SemanticModel.GetSymbolInfo(name, context.CancellationToken).Symbol is INamedTypeSymbol type)
        {
            Check(type, forms, context.Compilation, name, context.ReportDiagnostic);
        }
    }

    // Reports one form only: the others mostly have the same argument.
    private static void Check(
        ISymbol named, ILookup<ISymbol, INamedTypeSymbol> forms, Compilation compilation, SyntaxNode at, Action<Diagnostic> report)
    {
        var substitution = new Substitution(compilation, Substitution.ArgumentsOf(named));
        foreach (INamedTypeSymbol message in forms[named.OriginalDefinition].Select(substitution.In))
        {
            if (TypeArgumentRule.Fault(message, compilation) is var (argument, reason))
            {
                report(Diagnostic.Create(
                    Descriptors.UnusableArgument, at.GetLocation(), TypeNames.Text(argument), TypeNames.Text(message.OriginalDefinition),
                    reason));
                return;
            }
        }
    }
}
