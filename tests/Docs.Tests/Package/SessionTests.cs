using BlitQueue.Docs.Pages;

namespace BlitQueue.Docs.Package;

/// <summary>Pages that lead through a project: their commands are typed and their files saved, where the package alone is there.</summary>
[Collection(PackedPackage.Name)]
public sealed class SessionTests(PackedPackage package)
{
    public static TheoryData<string> Pages { get; } =
    [
        .. Page.WithCode().Where(static page => page.Blocks.Exists(static block => block.File is not null))
            .Select(static page => page.Name),
    ];

    [Theory]
    [MemberData(nameof(Pages))]
    public void What_the_page_tells_to_type_does_what_it_says(string name)
    {
        using var user = new UserFolder(package);
        using var shell = new Shell(user.Path, user.Settings);
        string said = "";
        foreach (PageBlock block in Page.Read(name).Blocks)
        {
            if (block.File is { } file)
            {
                File.WriteAllText(Path.Combine(shell.Type("pwd").Trim(), file), block.Text);
            }
            else if (block.Language == "sh")
            {
                said = shell.Type(block.Text);
            }
            else if (block.IsOutput)
            {
                Output.AssertIs(block.Text, said);
            }
        }
    }
}
