using BlitQueue.Generator.Parse;
using BlitQueue.Generator.Parse.Arguments;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Diagnose.Usage;

/// <summary>BQ0006: a generic message's type argument cannot be packed.</summary>
internal static class TypeArgumentRule
{
    public static void Check(SyntaxNodeAnalysisContext context)
    {
        var name = (GenericNameSyntax)context.Node;
        if (name.IsUnboundGenericName
            || context.SemanticModel.GetSymbolInfo(name, context.CancellationToken).Symbol is not INamedTypeSymbol type
            || !Messages.Is(type))
        {
            return;
        }

        var members = OpenMembers.Of(type.OriginalDefinition, context.Compilation);
        bool isAnyRefused = false;
        for (int i = 0; i < type.Arity; i++)
        {
            if (!members.Parameters.Contains(type.OriginalDefinition.TypeParameters[i], SymbolEqualityComparer.Default))
            {
                continue;
            }

            ITypeSymbol argument = type.TypeArguments[i];
            if (Fault(argument, context.Compilation, out bool isSilent) is { } fault)
            {
                Report(context, name.TypeArgumentList.Arguments[i], argument, type, fault);
            }
            else if (!isSilent)
            {
                continue;
            }

            isAnyRefused = true;
        }

        if (!isAnyRefused)
        {
            CheckMembers(context, name, type, members);
        }
    }

    /// <summary>The first type argument of a message that cannot be packed, and why; null if all can.</summary>
    public static (ITypeSymbol Argument, string Reason)? Fault(INamedTypeSymbol message, Compilation compilation)
    {
        var members = OpenMembers.Of(message.OriginalDefinition, compilation);
        var substitution = new Substitution(compilation, Substitution.ArgumentsOf(message));
        foreach (ITypeSymbol argument in members.Parameters.Select(substitution.In))
        {
            if (Fault(argument, compilation, out _) is { } fault)
            {
                return (argument, fault);
            }
        }

        return null;
    }

    // An argument that can be packed by itself may still make a member's type one that cannot be packed.
    private static void CheckMembers(SyntaxNodeAnalysisContext context, GenericNameSyntax name, INamedTypeSymbol type, OpenMembers members)
    {
        var substitution = new Substitution(context.Compilation, Substitution.ArgumentsOf(type));
        var named = NamedPackers.Of(context.Compilation);
        foreach (ITypeSymbol? member in members.Types.Select(substitution.In))
        {
            var rejection = new Rejection(named);
            if (WireKinds.Classify(member, rejection) is not null || rejection.Descriptor is null)
            {
                continue;
            }

            Report(context, name, member, type, rejection.Reason);
            return;
        }
    }

    private static string? Fault(ITypeSymbol argument, Compilation compilation, out bool isSilent)
    {
        var rejection = new Rejection(NamedPackers.Of(compilation));
        bool isRefused = WireKinds.Classify(argument, rejection) is null;
        isSilent = isRefused && rejection.Descriptor is null;
        if (isRefused)
        {
            return isSilent ? null : rejection.Reason;
        }

        return TypeTrees.IsOpen(argument) || Visibility.IsOpenToAll(argument, compilation)
            || Visibility.HomeOf(argument, compilation) is not null
            ? null
            : "what is generated for it could not name it; make it internal, or all types around it partial";
    }

    private static void Report(SyntaxNodeAnalysisContext context, SyntaxNode at, ITypeSymbol argument, INamedTypeSymbol type, string reason)
        => context.ReportDiagnostic(Diagnostic.Create(
            Descriptors.UnusableArgument, at.GetLocation(), TypeNames.Text(argument), TypeNames.Text(type.OriginalDefinition), reason));
}
