using System.Runtime.CompilerServices;

namespace BlitQueue.Generator.Tests.Completeness;

/// <summary>What a page calls wrong has its diagnostic, and what it calls right compiles.</summary>
public class PagesTests
{
    // BQ0011's wrong example would fill the page.
    public static TheoryData<string> Pages { get; } =
        [.. Directory.EnumerateFiles(Folder(), "BQ*.md").Select(path => Path.GetFileNameWithoutExtension(path)).Where(id => id != "BQ0011")
            .Order(StringComparer.Ordinal)];

    [Theory]
    [MemberData(nameof(Pages))]
    public async Task Its_examples_are_what_they_say(string id)
    {
        string page = await File.ReadAllTextAsync(Path.Combine(Folder(), id + ".md"));
        string others = page.Contains("class Customer", StringComparison.Ordinal) ? "" : "public class Customer;";
        string order = page.Contains("class Order\n", StringComparison.Ordinal)
            || page.Contains("class Order ", StringComparison.Ordinal) ? "" : "[QueueMessage] public partial class Order;";

        IReadOnlyList<Microsoft.CodeAnalysis.Diagnostic> wrong = await AnalyzerRun.Diagnostics(
            Example(page, "## Wrong") + "public class Customer;" + order, Rivals.Source);
        Assert.NotEmpty(wrong);
        Assert.All(wrong, diagnostic => Assert.Equal(id, diagnostic.Id));

        foreach (string example in Examples(page, "## Right"))
        {
            string right = example + others + order;
            await AnalyzerRun.ExpectNone(right);
            Assert.Empty(Compile.Complaints(GeneratorRun.Of(right).Output));
        }
    }

    private static IEnumerable<string> Examples(string page, string heading)
    {
        string part = page[page.IndexOf(heading, StringComparison.Ordinal)..].Split("\n## ")[0];
        return part.Split("```csharp\n").Skip(1).Select(static block => block[..block.IndexOf("```", StringComparison.Ordinal)]);
    }

    private static string Example(string page, string heading)
    {
        int start = page.IndexOf("```csharp\n", page.IndexOf(heading, StringComparison.Ordinal), StringComparison.Ordinal)
            + "```csharp\n".Length;
        return page[start..page.IndexOf("```", start, StringComparison.Ordinal)];
    }

    private static string Folder([CallerFilePath] string file = "")
        => Path.GetFullPath(Path.Combine(Path.GetDirectoryName(file)!, "../../../docs/diagnostics"));
}
