using BlitQueue.Generator.Caching;
using BlitQueue.Generator.Emit;

namespace BlitQueue.Generator;

/// <summary>Writes the packing of every type marked [QueueMessage]. Reports nothing: that is the analyzer's task.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class QueueMessageGenerator : IIncrementalGenerator
{
    /// <summary>Wires the pipeline: marked declarations, their models, a file for each.</summary>
    /// <param name="context">The compiler's registration.</param>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        // A memo for each pipeline: it lives as long as what the compiler itself keeps of the pipeline's last run.
        MessageMemo memo = new();
        IncrementalValuesProvider<MessageModel> models = context.CompilationProvider
            .SelectMany((compilation, cancellation) => memo.Find(compilation, cancellation))
            .WithTrackingName(StepNames.File)
            .SelectMany(static (models, _) => models)
            .WithTrackingName(StepNames.Model);

        UnionPackers.Register(context);
        OutOfReachBases.Register(context);

        IncrementalValueProvider<EquatableArray<string>> clashes = models
            .Select(static (model, _) => model.Header.HintName)
            .WithTrackingName(StepNames.HintName)
            .Collect()
            .Select(static (names, _) => HintNames.Clashing(names))
            .WithTrackingName(StepNames.Clashes);

        // One file for each message: at every keystroke the compiler compares the names of all of them with each other, which
        // takes 3 ms for 1,000 and 13 for 2,000.
        context.RegisterSourceOutput(models.Combine(clashes), static (output, pair)
            => output.AddSource(HintNames.Unique(pair.Left.Header.HintName, pair.Right), MessageEmitter.Emit(pair.Left)));

        Arguments.Register(context, models);
    }
}
