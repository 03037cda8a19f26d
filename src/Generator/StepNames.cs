namespace BlitQueue.Generator;

/// <summary>Names by which tests find the pipeline's steps.</summary>
internal static class StepNames
{
    public const string File = "BlitQueue.File";
    public const string Model = "BlitQueue.Model";
    public const string HintName = "BlitQueue.HintName";
    public const string Clashes = "BlitQueue.Clashes";

    public const string Messages = "BlitQueue.Messages";
    public const string Arguments = "BlitQueue.Arguments";

    /// <summary>Runs only if the project has packers of unions.</summary>
    public const string UnionPacker = "BlitQueue.UnionPacker";

    /// <summary>Runs only if the project has services of calls.</summary>
    public const string Service = "BlitQueue.Service";

    public static readonly string[] All = [File, Model, HintName, Clashes];

    /// <summary>The steps that run to the end only in projects that can name generic messages.</summary>
    public static readonly string[] OfGenerics = [Messages, Arguments];
}
