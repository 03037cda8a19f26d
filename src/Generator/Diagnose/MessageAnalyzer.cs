using BlitQueue.Generator.Parse;
using BlitQueue.Generator.Parse.Arguments;
using BlitQueue.Generator.Parse.Services;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Diagnose;

/// <summary>Reports what the parser finds wrong with a message type. The generator uses the same parser and reports nothing.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MessageAnalyzer() : SourceAnalyzer(
    Descriptors.NotPartial,
    Descriptors.ContainerNotPartial,
    Descriptors.CannotPack,
    Descriptors.CannotBlit,
    Descriptors.CannotRestore,
    Descriptors.AbstractMessage,
    Descriptors.UnusableMember,
    Descriptors.NoConstructor,
    Descriptors.TooLarge,
    Descriptors.UnusableType,
    Descriptors.SeveralParts,
    Descriptors.UnusableCallback,
    Descriptors.UnusablePacker,
    Descriptors.UnusableOrder,
    Descriptors.LostPart,
    Descriptors.UnusableCase,
    Descriptors.CannotFill,
    Descriptors.UnusableUnionPacker,
    Descriptors.UnusableService,
    Descriptors.UnusableCall)
{
    private protected override void Register(AnalysisContext context)
    {
        context.RegisterSymbolAction(Analyze, SymbolKind.NamedType);
        context.RegisterSyntaxNodeAction(AnalyzeAttribute, SyntaxKind.Attribute);
    }

    private static void AnalyzeAttribute(SyntaxNodeAnalysisContext context)
    {
        if (context.Node.Parent is not AttributeListSyntax { Target.Identifier.RawKind: (int)SyntaxKind.AssemblyKeyword })
        {
            return;
        }

        foreach (AttributeData attribute in NamedPackers.Attributes(context.Compilation.Assembly))
        {
            if (attribute.ApplicationSyntaxReference is { } reference
                && reference.SyntaxTree == context.Node.SyntaxTree
                && reference.Span == context.Node.Span
                && NamedPackers.FaultIn(attribute, context.Compilation) is { } found)
            {
                context.ReportDiagnostic(
                    Diagnostic.Create(Descriptors.UnusablePacker, context.Node.GetLocation(), TypeNames.Text(found.Type), found.Fault));
            }
        }
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        var diagnostics = new DiagnosticBag();
        if (KnownTypes.Has(type, KnownTypes.QueueMessage))
        {
            MessageParser.Parse(type, context.Compilation, diagnostics, context.CancellationToken);
            if (ClosedMessages.GrowsForEver(type, context.Compilation))
            {
                diagnostics.Add(
                    Descriptors.UnusableType, type.Locations.FirstOrDefault(), TypeNames.Text(type),
                    "it has itself as a member, with ever larger type arguments");
            }
        }

        if (KnownTypes.Has(type, KnownTypes.QueueService))
        {
            ServiceParser.Parse(type, diagnostics);
        }

        if (KnownTypes.Has(type, KnownTypes.PackUnionOf))
        {
            UnionPackerParser.Parse(type, context.Compilation, diagnostics);
        }
        else if (diagnostics.Reported.Count == 0)
        {
            CheckCases(type, diagnostics);
        }

        foreach (Diagnostic diagnostic in diagnostics.Reported)
        {
            context.ReportDiagnostic(diagnostic);
        }
    }

    private static void CheckCases(INamedTypeSymbol type, DiagnosticBag diagnostics)
    {
        if (!KnownTypes.Has(type, KnownTypes.QueueMessage) && KnownTypes.Find(type, KnownTypes.PackUnion) is { } lost)
        {
            diagnostics.Add(
                Descriptors.UnusableUnionPacker, lost.ApplicationSyntaxReference?.GetSyntax().GetLocation(), TypeNames.Text(type),
                "it is marked neither [QueueMessage] nor [PackUnionOf]");
        }
    }
}
