namespace Quickstart;

/// <summary>What is sent. The launcher looks once, so that each producer sees the same files in the same order.</summary>
/// <param name="Title">What to call it on the screen.</param>
/// <param name="Files">The files.</param>
/// <param name="Notes">What was left out, and why.</param>
internal sealed record Input(string Title, IReadOnlyList<InputFile> Files, IReadOnlyList<string> Notes)
{
    public long Bytes => Files.Sum(file => file.Length);

    /// <exception cref="ArgumentsException">The path is a file that cannot be sent.</exception>
    public static Input Find(string path, Workspace workspace, CancellationToken interrupt)
    {
        if (path == Arguments.StandardInput)
        {
            return FromStandardInput(workspace, interrupt);
        }
        return Directory.Exists(path) ? FromFolder(path) : FromFile(path);
    }

    private static Input FromStandardInput(Workspace workspace, CancellationToken interrupt)
    {
        using (Stream source = Console.OpenStandardInput())
        using (FileStream copy = File.Create(workspace.StandardInput))
        {
            // A read from a terminal cannot be cancelled, but it need not be waited for either.
            source.CopyToAsync(copy, interrupt).WaitAsync(interrupt).GetAwaiter().GetResult();
        }
        var file = new InputFile("standard-input", workspace.StandardInput, new FileInfo(workspace.StandardInput).Length);
        return new Input("from standard input", [file], []);
    }

    private static Input FromFile(string path)
    {
        string target = File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path;
        if (RegularFile.WhyNot(target) is { } reason)
        {
            throw new ArgumentsException($"'{path}' cannot be sent: {reason}");
        }
        return new Input(path, [new InputFile(Path.GetFileName(path), target, new FileInfo(target).Length)], []);
    }

    private static Input FromFolder(string path)
    {
        var walk = new FolderWalk(path);
        walk.Run();
        return new Input($"under {path}", walk.Files, walk.Notes);
    }

    /// <summary>Leaves the list for producers. Names may hold any character but NUL.</summary>
    public void Save(Workspace workspace) =>
        File.WriteAllText(workspace.InputList, string.Concat(Files.Select(file => $"{file.Name}\0{file.Path}\0{file.Length}\0")));

    public static IEnumerable<InputFile> Load(Workspace workspace) =>
        File.ReadAllText(workspace.InputList).Split('\0').Chunk(3).Where(fields => fields.Length == 3)
            .Select(fields => new InputFile(fields[0], fields[1], long.Parse(fields[2])));
}
