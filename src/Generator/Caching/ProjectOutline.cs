namespace BlitQueue.Generator.Caching;

/// <summary>
/// All that decides which type a name stands for in a project: its options, its references, and the outlines of its files in their order.
/// While two outlines are equal, the number of a file, and of a declaration in it, means the same in both.
/// </summary>
internal sealed class ProjectOutline
{
    private readonly object[] _surroundings;
    private readonly string[] _files;

    private ProjectOutline(object[] surroundings, string[] files)
    {
        _surroundings = surroundings;
        _files = files;
    }

    public static ProjectOutline Of(Compilation compilation, IReadOnlyList<SourceFile> files)
    {
        object[] surroundings =
        [
            compilation.AssemblyName ?? "",
            Identity.Of(compilation.Options),
            .. compilation.ExternalReferences.Select(Identity.Of),
        ];
        return new ProjectOutline(surroundings, [.. files.Select(file => file.Outline)]);
    }

    public bool IsAsIn(ProjectOutline other)
        => _surroundings.SequenceEqual(other._surroundings) && _files.AsSpan().SequenceEqual(other._files);
}
