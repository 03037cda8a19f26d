using System.Runtime.CompilerServices;
using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>A page of docs/: its code is that of a test, which compiles and runs it.</summary>
internal static class Page
{
    /// <summary>
    /// Fails unless the code on the page stands in the source of the test that calls, or beside it in Pages/, but for
    /// its indentation. It is compared in parts, which empty lines set apart: a test has its types elsewhere than a
    /// program, and looks at the outcome in between.
    /// </summary>
    /// <param name="name">The page's file, from docs/ on.</param>
    /// <param name="test">Left to the compiler.</param>
    public static void AssertRuns(string name, [CallerFilePath] string test = "")
    {
        string folder = Path.GetDirectoryName(test)!;
        string source = Flat(string.Concat(
            Directory.EnumerateFiles(Path.Combine(folder, "Pages")).Prepend(test).Select(static file => File.ReadAllText(file) + "\n")));
        string page = File.ReadAllText(Path.Combine(folder, "..", "..", "..", "docs", name));
        string[] blocks = [.. page.Split("```csharp\n").Skip(1)
            .Select(static part => part[..part.IndexOf("```", StringComparison.Ordinal)])];
        Assert.NotEmpty(blocks);
        string[] parts = [.. blocks.SelectMany(static block => Flat(block).Split("\n\n")).Where(static part => part != "using BlitQueue;")];
        Assert.All(parts, part => Assert.Contains(part, source, StringComparison.Ordinal));
    }

    /// <summary>
    /// Runs a page's code in an empty directory, where its relative paths lead, and catches what it writes to the console. Both are the
    /// process's own, so no other test may run meanwhile: the caller is of <see cref="ProcessCollection"/>.
    /// </summary>
    /// <returns>What it wrote, each line ended by \n.</returns>
    public static async Task<string> RunAsync(Func<Task> code)
    {
        using var site = new Site();
        string before = Environment.CurrentDirectory;
        TextWriter console = Console.Out;
        using var said = new StringWriter { NewLine = "\n" };
        Environment.CurrentDirectory = site.Root;
        Console.SetOut(said);
        try
        {
            await code();
            return said.ToString();
        }
        finally
        {
            Console.SetOut(console);
            Environment.CurrentDirectory = before;
        }
    }

    /// <summary>Runs a page's code likewise.</summary>
    public static string Run(Action code) => RunAsync(() =>
    {
        code();
        return Task.CompletedTask;
    }).GetAwaiter().GetResult();

    /// <summary>Makes a queue with small files, so that the page's code joins it instead of making one with large ones.</summary>
    public static void MakeQueue<T>(string path, bool createDefaultSubscription = true)
        where T : IPackable<T> =>
        MappedQueue<T>.Open(
            path, new QueueOptions { SegmentSize = 1 << 16, CreateDefaultSubscription = createDefaultSubscription }).Dispose();

    private static string Flat(string text) => string.Join('\n', text.Split('\n').Select(static line => line.Trim())).Trim();
}
