namespace BlitQueue.Generator;

/// <summary>Names under which the pipeline's steps can be watched by tests.</summary>
internal static class StepNames
{
    public const string File = "BlitQueue.File";
    public const string Model = "BlitQueue.Model";
    public const string HintName = "BlitQueue.HintName";
    public const string Clashes = "BlitQueue.Clashes";

    /// <summary>Runs only where there are such packers.</summary>
    public const string UnionPacker = "BlitQueue.UnionPacker";

    public static readonly string[] All = [File, Model, HintName, Clashes];
}
