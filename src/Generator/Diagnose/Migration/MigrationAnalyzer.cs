using Microsoft.CodeAnalysis.Diagnostics;

namespace BlitQueue.Generator.Diagnose.Migration;

/// <summary>Offers to turn what is marked for another serializer into messages.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class MigrationAnalyzer() : SourceAnalyzer(Descriptors.CouldBeMessage)
{
    private protected override void Register(AnalysisContext context)
    {
        context.RegisterCompilationStartAction(static start =>
        {
            // Only in projects that reference this library and another serializer.
            if (start.Compilation.GetTypeByMetadataName(KnownTypes.QueueMessage) is not null
                && RivalNames.All.Any(name => !start.Compilation.GetTypesByMetadataName(name).IsEmpty))
            {
                start.RegisterSymbolAction(Analyze, SymbolKind.NamedType);
            }
        });
    }

    private static void Analyze(SymbolAnalysisContext context)
    {
        var type = (INamedTypeSymbol)context.Symbol;
        if (KnownTypes.Has(type, KnownTypes.QueueMessage))
        {
            return;
        }

        foreach (string name in RivalNames.All)
        {
            if (KnownTypes.Find(type, name) is not { ApplicationSyntaxReference: { } mark } attribute || NeedsNoMark(attribute))
            {
                continue;
            }

            Location at = mark.SyntaxTree.GetLocation(mark.Span);
            string rival = name.Substring(0, name.IndexOf('.'));
            context.ReportDiagnostic(Diagnostic.Create(Descriptors.CouldBeMessage, at, type.Name, rival));
            return;
        }
    }

    // MemoryPack generates nothing for such a type, so it needs no attribute here either; and a collection is packed without one.
    private static bool NeedsNoMark(AttributeData attribute)
        => attribute.ConstructorArguments is [{ Kind: TypedConstantKind.Enum, Type: { } kinds, Value: { } kind }, ..]
        && kinds.GetMembers().OfType<IFieldSymbol>()
            .Any(field => field is { Name: "NoGenerate" or "Collection", HasConstantValue: true } && field.ConstantValue.Equals(kind));
}
