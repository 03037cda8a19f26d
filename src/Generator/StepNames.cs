namespace BlitQueue.Generator;

/// <summary>Names under which the pipeline's steps can be watched by tests.</summary>
internal static class StepNames
{
    public const string Model = "BlitQueue.Model";

    public static readonly string[] All = [Model];
}
