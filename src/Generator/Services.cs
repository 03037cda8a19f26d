using BlitQueue.Generator.Emit;
using BlitQueue.Generator.Parse;
using BlitQueue.Generator.Parse.Services;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator;

/// <summary>The pipeline of interfaces marked [QueueService].</summary>
internal static class Services
{
    public static void Register(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<ServiceModel> models = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                KnownTypes.QueueService,
                static (node, _) => node is InterfaceDeclarationSyntax,
                static (target, _) => ServiceParser.Parse((INamedTypeSymbol)target.TargetSymbol, new DiagnosticBag()))
            .Where(static model => model is not null)
            .Select(static (model, _) => model!)
            .WithTrackingName(StepNames.Service);

        IncrementalValueProvider<EquatableArray<string>> clashes = models
            .Select(static (model, _) => HintNames.OfService(model.Header.HintName))
            .Collect()
            .Select(static (names, _) => HintNames.Clashing(names));

        context.RegisterSourceOutput(models.Combine(clashes), static (output, pair)
            => output.AddSource(
                HintNames.Unique(HintNames.OfService(pair.Left.Header.HintName), pair.Right), ServiceEmitter.Emit(pair.Left)));
    }
}
