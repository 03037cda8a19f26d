namespace BlitQueue.Generator;

/// <summary>Names under which the pipeline's steps can be watched by tests.</summary>
internal static class StepNames
{
    public const string File = "BlitQueue.File";
    public const string Model = "BlitQueue.Model";
    public const string HintName = "BlitQueue.HintName";
    public const string Clashes = "BlitQueue.Clashes";

    public const string Messages = "BlitQueue.Messages";
    public const string Arguments = "BlitQueue.Arguments";

    /// <summary>Runs only where there are such packers.</summary>
    public const string UnionPacker = "BlitQueue.UnionPacker";

    public static readonly string[] All = [File, Model, HintName, Clashes];

    /// <summary>Those that run to the end only in a project that sees generic messages.</summary>
    public static readonly string[] OfGenerics = [Messages, Arguments];
}
