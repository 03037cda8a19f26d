namespace BlitQueue.Generator;

/// <summary>Names under which the pipeline's steps can be watched by tests.</summary>
internal static class StepNames
{
    public const string Model = "BlitQueue.Model";
    public const string HintName = "BlitQueue.HintName";
    public const string Clashes = "BlitQueue.Clashes";

    public const string Messages = "BlitQueue.Messages";
    public const string Arguments = "BlitQueue.Arguments";

    public static readonly string[] All = [Model, HintName, Clashes];

    /// <summary>Those that run to the end only in a project that sees generic messages.</summary>
    public static readonly string[] OfGenerics = [Messages, Arguments];
}
