using System.Collections.Immutable;
using BlitQueue.Generator.Parse;
using BlitQueue.Generator.Parse.Arguments;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Diagnose;

/// <summary>Reports what the parser finds wrong with a message type. The generator uses the same parser and stays silent.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MessageAnalyzer : DiagnosticAnalyzer
{
    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } =
    [
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
        Descriptors.UnusableCase,
        Descriptors.CannotFill,
    ];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        context.RegisterSymbolAction(Analyze, SymbolKind.NamedType);
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (!KnownTypes.Has(type, KnownTypes.QueueMessage))
            return;

        var findings = new Findings();
        MessageParser.Parse(type, context.Compilation, findings, context.CancellationToken);
        if (ClosedMessages.GrowsForEver(type, context.Compilation))
            findings.Add(Descriptors.UnusableType, type.Locations.FirstOrDefault(), TypeNames.Text(type), "it has itself as a member, with ever larger type arguments");
        foreach (var diagnostic in findings.Reported)
            context.ReportDiagnostic(diagnostic);
    }
}
