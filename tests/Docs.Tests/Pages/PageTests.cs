namespace BlitQueue.Docs.Pages;

/// <summary>Every block of C# on every page compiles as it stands there, and the blocks of a page run in order.</summary>
public sealed class PageTests
{
    // Blocks that show what another library, or a program that never ends, looks like. Each says in its comment why.
    private const int NotCompiled = 0, NotRun = 0;

    public static TheoryData<string> Pages { get; } = [.. Page.WithCode().Select(static page => page.Name)];

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task Its_code_compiles_and_runs(string name)
    {
        foreach (PageProgram program in PageProgram.Of(Page.Read(name)))
        {
            await program.RunAsync();
        }
    }

    [Fact]
    public void No_more_blocks_are_left_out_than_are_counted_here()
    {
        List<PageBlock> blocks = [.. Page.WithCode().SelectMany(static page => page.Blocks)];
        Assert.Equal(NotCompiled, blocks.Count(static block => block is { Language: "csharp", IsForeign: true }));
        Assert.Equal(NotRun, blocks.Count(static block => block is { Language: "csharp", IsCompiledOnly: true }));
    }

    [Fact]
    public void A_block_says_its_language() => Assert.Empty(
        from name in Page.Names
        from block in Page.Read(name).Blocks
        where block.Language.Length == 0 && Path.GetFileName(name) != "FORMAT.md"
        select $"{name}:{block.Line - 1}");

    [Fact]
    public void The_readme_has_three_lines_about_what_it_is_twelve_of_code_and_one_picture_and_is_short()
    {
        string[] lines = File.ReadAllLines(Repository.Of("README.md"));
        Assert.InRange(lines.Length, 1, 120);
        Assert.Equal(3, lines.Skip(2).TakeWhile(static line => line.Length > 0).Count());
        Assert.Single(lines, static line => line.Contains("![", StringComparison.Ordinal));
        var readme = Page.Read("README.md");
        string[] code = readme.Blocks.Single(static block => block.Language == "csharp").Text.Split('\n');
        Assert.InRange(code.Count(static line => line.Trim() is not ("" or "{" or "}")), 1, 12);
        Assert.Equal(2, readme.Blocks.Where(static block => block.Language == "sh").Skip(1).First().Text.TrimEnd('\n').Split('\n').Length);
    }
}
