using System.Reflection;
using System.Text.RegularExpressions;

namespace BlitQueue.Docs.Mistakes;

/// <summary>
/// What a user reads who made a mistake: word for word as in messages.md beside this file, which <c>BLITQUEUE_DRAW=1</c> writes anew.
/// </summary>
public sealed partial class MistakeTests
{
    private const string Nothing = "(no exception)";

    private static readonly MethodInfo[] Mistakes =
    [
        .. new[] { typeof(OpeningMistakes), typeof(UsingMistakes), typeof(DamageMistakes), typeof(SharingMistakes) }
            .SelectMany(static type => type.GetMethods(BindingFlags.Public | BindingFlags.Static)),
    ];

    private static readonly string Snapshot = Repository.Of("tests", "Docs.Tests", "Mistakes", "messages.md");

    [Fact]
    public void Every_mistake_says_what_the_snapshot_has()
    {
        string said = "# What mistakes say\n\nWritten by MistakeTests. Read it as somebody who has just made the mistake.\n"
            + string.Concat(Mistakes.Select(static mistake => $"\n## {Title(mistake)}\n\n```text\n{Provoke(mistake)}\n```\n"));
        if (Environment.GetEnvironmentVariable("BLITQUEUE_DRAW") == "1")
        {
            File.WriteAllText(Snapshot, said);
        }
        Assert.Equal(File.ReadAllText(Snapshot).ReplaceLineEndings("\n").Split("\n## "), said.Split("\n## "));
    }

    [Fact]
    public void There_are_forty_and_more()
    {
        Assert.InRange(Mistakes.Length, 40, int.MaxValue);
        Assert.DoesNotContain(Nothing, File.ReadAllText(Snapshot), StringComparison.Ordinal);
    }

    private static string Title(MethodInfo mistake) => mistake.Name.Replace('_', ' ');

    private static string Provoke(MethodInfo mistake)
    {
        DirectoryInfo root = Directory.CreateTempSubdirectory("blitqueue-mistake-");
        try
        {
            mistake.Invoke(null, [root.FullName]);
            return Nothing;
        }
        catch (TargetInvocationException made)
        {
            Exception thrown = made.InnerException!;
            return $"{thrown.GetType().Name}: {Comparable(thrown.Message, root.FullName)}";
        }
        finally
        {
            root.Delete(recursive: true);
        }
    }

    // Without what differs from run to run.
    private static string Comparable(string message, string root)
    {
        string text = message.Replace(root, "/home/ada", StringComparison.Ordinal)
            .Replace(Path.GetFileName(root), "ada", StringComparison.Ordinal)
            .Replace(Environment.ProcessId.ToString(), "4711", StringComparison.Ordinal);
        return Times().Replace(text.ReplaceLineEndings("\n"), "2026-03-01 12:03:11");
    }

    [GeneratedRegex("[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}")]
    private static partial Regex Times();
}
