using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Diagnose;

/// <summary>An analyzer that skips generated code and may run on several threads at once.</summary>
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

    /// <summary>Registers the actions for the symbols, operations or nodes that it looks at.</summary>
    private protected abstract void Register(AnalysisContext context);
}
