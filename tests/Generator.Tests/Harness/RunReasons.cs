using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Harness;

/// <summary>Why each message's model and each file's output came out as they did in the last run.</summary>
internal static class RunReasons
{
    public static IReadOnlyList<string> Of(GeneratorRun run)
        => [.. Steps(run).Select(pair => $"{pair.Name}: {pair.Reason}").Order(StringComparer.Ordinal)];

    private static IEnumerable<(string Name, IncrementalStepRunReason Reason)> Steps(GeneratorRun run)
    {
        foreach (var step in run.Result.TrackedSteps.GetValueOrDefault(StepNames.Model, []))
        {
            foreach (var (_, reason) in step.Outputs)
                yield return ("Model", reason);
        }

        foreach (var step in run.Result.TrackedOutputSteps.SelectMany(pair => pair.Value))
        {
            foreach (var (_, reason) in step.Outputs)
                yield return ("Output", reason);
        }
    }
}
