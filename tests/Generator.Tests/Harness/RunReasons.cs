using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Why each message's model and each file's output came out as they did in the last run.</summary>
internal static class RunReasons
{
    public static IReadOnlyList<string> Of(GeneratorRun run)
        => [.. Steps(run).Select(pair => $"{pair.Name}: {pair.Reason}").Order(StringComparer.Ordinal)];

    /// <summary>
    /// Whether the last run took every step's output, of whatever name, from the run before. The compiler's own input steps are apart.
    /// </summary>
    public static bool AllReused(GeneratorRun run)
        => StepNames.All.SelectMany(name => run.Result.TrackedSteps[name])
            .Concat(run.Result.TrackedOutputSteps.SelectMany(pair => pair.Value))
            .SelectMany(step => step.Outputs)
            .All(output => output.Reason is IncrementalStepRunReason.Cached or IncrementalStepRunReason.Unchanged);

    private static IEnumerable<(string Name, IncrementalStepRunReason Reason)> Steps(GeneratorRun run)
    {
        foreach (IncrementalGeneratorRunStep? step in run.Result.TrackedSteps.GetValueOrDefault(StepNames.Model, []))
        {
            foreach ((object _, IncrementalStepRunReason reason) in step.Outputs)
            {
                yield return ("Model", reason);
            }
        }

        foreach (IncrementalGeneratorRunStep? step in run.Result.TrackedOutputSteps.SelectMany(pair => pair.Value))
        {
            foreach ((object _, IncrementalStepRunReason reason) in step.Outputs)
            {
                yield return ("Output", reason);
            }
        }
    }
}
