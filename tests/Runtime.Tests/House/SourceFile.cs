using System.Text.RegularExpressions;

namespace BlitQueue.Tests.House;

/// <summary>A file of <c>src/Runtime</c>, read as text.</summary>
/// <param name="Path">From there, with slashes.</param>
/// <param name="Text">All of it.</param>
internal sealed partial record SourceFile(string Path, string Text)
{
    public string Floor { get; } = Path.Split('/')[0];

    /// <summary>The folder on its floor; empty where it stands on the floor itself.</summary>
    public string Folder { get; } = Path.Split('/') is [_, var folder, _] ? folder : "";

    public string Name { get; } = System.IO.Path.GetFileName(Path).Split('.')[0];

    public string? Part { get; } = System.IO.Path.GetFileNameWithoutExtension(Path).Split('.', 2) is [_, var part] ? part : null;

    public List<string> Types { get; } = TypesIn(Text);

    /// <summary>The words of its code: without comments, texts, and names behind a dot.</summary>
    public HashSet<string> CodeWords { get; } = [.. Names().Matches(Comments().Replace(Texts().Replace(Text, ""), ""))
        .Select(static match => match.Value)];

    // With file-scoped namespaces a top-level declaration is one that starts at the line's start.
    public static List<string> TypesIn(string text)
        => [.. Declarations().Matches(text).Select(match => match.Groups["name"].Value).Distinct()];

    [GeneratedRegex(
        @"^(?:(?:public|internal|static|sealed|abstract|readonly|ref|partial|file|unsafe)\s+)*"
        + @"(?:(?:class|struct|interface|enum|record(?:\s+(?:class|struct))?)|delegate\s+\S+)\s+(?<name>\w+)", RegexOptions.Multiline)]
    private static partial Regex Declarations();

    [GeneratedRegex("\"[^\"\n]*\"")]
    private static partial Regex Texts();

    [GeneratedRegex(@"//.*")]
    private static partial Regex Comments();

    [GeneratedRegex(@"(?<![.\w])\w+")]
    private static partial Regex Names();
}
