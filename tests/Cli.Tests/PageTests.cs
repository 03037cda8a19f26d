using System.Text.RegularExpressions;

namespace BlitQueue.Tool;

/// <summary>
/// docs/tool.md shows what the tool prints: <c>*</c> stands for any text of a line. With BLITQUEUE_DRAW=1 the test writes what was printed
/// into the page.
/// </summary>
public sealed partial class PageTests
{
    private static readonly string Page = Path.Combine(Blitq.Root(), "docs", "tool.md");

    [Fact]
    public void The_page_shows_what_the_tool_prints()
    {
        using var folder = new Folder();
        using MappedQueue<Order> queue = Fill(folder);
        using var lines = MappedQueue<Line>.Open(folder.Of("lines"));
        string text = File.ReadAllText(Page), drawn = text;
        int count = 0;
        foreach (Match block in Blocks().Matches(text))
        {
            string[] commands =
                [.. block.Groups[1].Value.Split('\n').Where(static line => line.StartsWith("$ ", StringComparison.Ordinal))];
            string printed = string.Concat(commands.Select(command => $"{command}\n{Run(command[2..], folder.Path)}"));
            count += commands.Length;
            drawn = drawn.Replace(block.Groups[1].Value, printed, StringComparison.Ordinal);
            if (!IsDrawing)
            {
                string expected = string.Concat(block.Groups[1].Value.TrimEnd('\n').Split('\n')
                    .Select(static line => Regex.Escape(line).Replace("\\*", "[^\n]*", StringComparison.Ordinal) + "\n"));
                Assert.True(Regex.IsMatch(printed, $"^{expected}$"), $"the page says\n{block.Groups[1].Value}\nit was\n{printed}");
            }
        }

        Assert.True(count >= 20);
        if (IsDrawing)
        {
            File.WriteAllText(Page, drawn);
        }
    }

    [Fact]
    public void The_page_names_every_command()
    {
        string text = File.ReadAllText(Page);
        string[] commands = [.. Commands().Matches(Blitq.Run("--help").Expect(0).Output).Select(static match => match.Groups[1].Value)];
        Assert.True(commands.Length >= 18);
        Assert.DoesNotContain(commands, command => !text.Contains($"blitq {command}", StringComparison.Ordinal));
    }

    private static bool IsDrawing => Environment.GetEnvironmentVariable("BLITQUEUE_DRAW") == "1";

    private static string Run(string command, string directory)
    {
        string script = $"PATH='{Path.GetDirectoryName(Blitq.Program)}':$PATH; ({command}) 2>&1";
        return Blitq.RunIn(directory, "", "bash", "-c", script).Output.Replace(directory, "/var/lib/app", StringComparison.Ordinal);
    }

    private static MappedQueue<Order> Fill(Folder folder)
    {
        var queue = MappedQueue<Order>.Open(folder.Of("orders"));
        using Subscription<Order> billing = queue.Subscribe("billing");
        for (int number = 1; number <= 4; number++)
        {
            queue.Enqueue(Order.Make(number));
        }

        billing.Receive().DeadLetter("no such customer");
        Order? order = null;
        Assert.True(queue.TryDequeue(ref order));
        return queue;
    }

    [GeneratedRegex("```console\n((?:.*\n)*?)```")]
    private static partial Regex Blocks();

    [GeneratedRegex("(?<=Commands:\n(?:  .*\n)*)^  ([a-z]+) ", RegexOptions.Multiline)]
    private static partial Regex Commands();
}
