using BlitQueue.Generator.Caching;
using BlitQueue.Generator.Emit;

namespace BlitQueue.Generator;

/// <summary>Generates the packing code of every type marked [QueueMessage]. The analyzer reports the diagnostics.</summary>
[Generator(LanguageNames.CSharp)]
public sealed class QueueMessageGenerator : IIncrementalGenerator
{
    /// <summary>Builds the pipeline: marked declarations, their models, a file for each.</summary>
    /// <param name="context">The compiler's registration.</param>
    public void Initialize(IncrementalGeneratorInitializationContext context)
    {
        // One memo per pipeline: the compiler stores it with the pipeline, as long as the results of the last run.
        MessageMemo memo = new();
        IncrementalValuesProvider<MessageModel> models = context.CompilationProvider
            .SelectMany((compilation, cancellation) => memo.Find(compilation, cancellation))
            .WithTrackingName(StepNames.File)
            .SelectMany(static (models, _) => models)
            .WithTrackingName(StepNames.Model);

        UnionPackers.Register(context);
        OutOfReachBases.Register(context);
        Services.Register(context);

        IncrementalValueProvider<EquatableArray<string>> clashes = models
            .Select(static (model, _) => model.Header.HintName)
            .WithTrackingName(StepNames.HintName)
            .Collect()
            .Select(static (names, _) => HintNames.Clashing(names))
            .WithTrackingName(StepNames.Clashes);

        // One file for each message. At every keystroke the compiler compares the names of all files with each other, which takes 3 ms for
        // 1,000 files and 13 ms for 2,000.
        context.RegisterSourceOutput(models.Combine(clashes), static (output, pair)
            => output.AddSource(HintNames.Unique(pair.Left.Header.HintName, pair.Right), MessageEmitter.Emit(pair.Left)));

        Arguments.Register(context, models);
    }
}
