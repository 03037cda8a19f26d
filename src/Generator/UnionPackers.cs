using BlitQueue.Generator.Emit;
using BlitQueue.Generator.Parse;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator;

/// <summary>The pipeline of classes marked [PackUnionOf]: a second one beside that of the messages.</summary>
internal static class UnionPackers
{
    public static void Register(IncrementalGeneratorInitializationContext context)
    {
        IncrementalValuesProvider<MessageModel> models = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                KnownTypes.PackUnionOf,
                static (node, _) => node is TypeDeclarationSyntax,
                static (target, _) => UnionPackerParser.Parse(target))
            .Where(static model => model is not null)
            .Select(static (model, _) => model! with { Header = model.Header with { HintName = HintNames.OfUnion(model.Header.HintName) } })
            .WithTrackingName(StepNames.UnionPacker);

        IncrementalValueProvider<EquatableArray<string>> clashes = models
            .Select(static (model, _) => model.Header.HintName)
            .Collect()
            .Select(static (names, _) => HintNames.Clashing(names));

        context.RegisterSourceOutput(models.Combine(clashes), static (output, pair)
            => output.AddSource(HintNames.Unique(pair.Left.Header.HintName, pair.Right), MessageEmitter.Emit(pair.Left)));
    }
}
