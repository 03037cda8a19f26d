using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Diagnose;

/// <summary>An analyzer of what people write, not of what is generated; it may run on several threads at once.</summary>
public abstract class SourceAnalyzer : DiagnosticAnalyzer
{
    private protected SourceAnalyzer(params ImmutableArray<DiagnosticDescriptor> diagnostics) => SupportedDiagnostics = diagnostics;

    /// <inheritdoc/>
    public sealed override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; }

    /// <inheritdoc/>
    public sealed override void Initialize(AnalysisContext context)
    {
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.EnableConcurrentExecution();
        Register(context);
    }

    /// <summary>Says which symbols, operations or nodes it looks at.</summary>
    private protected abstract void Register(AnalysisContext context);
}
