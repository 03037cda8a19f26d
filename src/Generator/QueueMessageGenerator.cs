using BlitQueue.Generator.Emit;
using BlitQueue.Generator.Parse;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace BlitQueue.Generator;

/// <summary>Writes the packing of every type marked [QueueMessage]. Reports nothing: that is the analyzer's task.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class QueueMessageGenerator : IIncrementalGenerator
{
    /// <summary>Wires the pipeline: marked declarations, their models, a file for each and one for its view.</summary>
    /// <param name="context">The compiler's registration.</param>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        // Parsing inside the transform runs again for each compilation, so that it sees what other files change;
        // the model's equality then keeps everything behind it from running.
        var models = context.SyntaxProvider
            .ForAttributeWithMetadataName(
                KnownTypes.QueueMessage,
                static (node, _) => node is TypeDeclarationSyntax,
                static (target, cancellation) => MessageParser.Parse(target, cancellation))
            .Where(static model => model is not null)
            .WithTrackingName(StepNames.Model);

        var clashes = models
            .Select(static (model, _) => model!.Header.HintName)
            .WithTrackingName(StepNames.HintName)
            .Collect()
            .Select(static (names, _) => HintNames.Clashing(names))
            .WithTrackingName(StepNames.Clashes);

        context.RegisterSourceOutput(models.Combine(clashes), static (output, pair) =>
        {
            var model = pair.Left!;
            var hintName = HintNames.Unique(model.Header.HintName, pair.Right);
            output.AddSource(hintName, MessageEmitter.Emit(model));
            if (model.View.Length > 0)
                output.AddSource(ViewEmitter.HintName(hintName, model), ViewEmitter.Emit(model));
        });

        Arguments.Register(context, models.Select(static (model, _) => model!));
    }
}
