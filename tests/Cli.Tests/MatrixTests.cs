using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;

namespace BlitQueue.Tool;

/// <summary>
/// Every command on a directory in every state: the exit code, what it says, and that it changes nothing. Matrix.txt has it all;
/// with BLITQUEUE_DRAW=1 the test writes that file.
/// </summary>
public sealed partial class MatrixTests
{
    // Behind the words of a command comes the directory, behind it the rest.
    private static readonly string[][] Reading =
    [
        ["ls"], ["top", "--count", "1"], ["stat"], ["inspect"], ["subscriptions"], ["tail"], ["tail -f", "--from", "oldest", "-n", "1"],
        ["peek"], ["export"], ["import --dry-run"], ["dlq ls"], ["dlq show"], ["schema show"], ["schema diff", SchemaFile],
        ["schema gen", "--lang", "python"], ["verify"], ["repair", "--dry-run"], ["serve"], ["bench --seconds 0.1 -d"],
    ];

    private static readonly string[][] Writing =
    [
        ["send", """{"Id":9}""", "--wait", "0.3"], ["import", "--wait", "0.3"], ["import --create", "--wait", "0.3"],
        ["seek", "--to", "oldest", "--yes", "--wait", "0.3"], ["purge", "--yes", "--wait", "0.3"],
        ["dlq retry", "--yes", "--wait", "0.3"], ["dlq drop", "--yes", "--wait", "0.3"], ["repair"],
        ["forward", "--key", "orders", .. NoBroker], ["receive", "--from", "orders", .. NoBroker],
    ];

    // Commands of the tool that take no directory.
    private static readonly string[] Others = ["completion"];

    // Stands for a file with the queues' schema.
    private const string SchemaFile = "schema file";

    private static readonly string Exported =
        "{\"blitq\":1,\"queue\":\"/orders\",\"schema\":\"" + Order.Schema.Text + "\",\"segment_size\":65536,\"checksums\":true}\n"
            + "{\"message\":{\"Id\":9}}\n";

    // No program listens at this port. A queue that can be opened has changed when the command gives up.
    private static string[] NoBroker => ["--broker", "amqp://127.0.0.1:1", "--wait", "0.3"];

    public static TheoryData<string> States { get; } = [.. Tool.States.All];

    [Theory]
    [MemberData(nameof(States))]
    public void Every_command_ends_as_the_table_says(string state)
    {
        var lines = new StringBuilder();
        foreach (string[] command in Reading)
        {
            lines.AppendLine(Run(state, command, isReading: true));
        }

        foreach (string[] command in Writing)
        {
            lines.AppendLine(Run(state, command, isReading: false));
        }

        Compare(state, lines.ToString());
    }

    [Fact]
    public void No_command_is_left_out()
    {
        string[] tested = [.. Reading.Concat(Writing).Select(static command => string.Join(' ', command)), .. Others];
        foreach (string command in NamesOf())
        {
            string[] below = command is "dlq" or "schema" ? NamesOf(command) : [""];
            string[] all = [.. below.Select(name => $"{command} {name}".Trim())];
            Assert.All(all, name => Assert.Contains(tested, one => $"{one} ".StartsWith($"{name} ", StringComparison.Ordinal)));
        }
    }

    private static string[] NamesOf(params string[] command)
        => [.. Names().Matches(Blitq.Run([.. command, "--help"]).Expect(0).Output).Select(static match => match.Groups[1].Value)];

    private static string Run(string state, string[] command, bool isReading)
    {
        using var folder = new Folder();
        string path = Tool.States.Make(state, folder.Path, out Process? locker);
        try
        {
            // An attempt to open takes and gives back a lock, and notes in the lock's file that it does.
            string lockFile = isReading ? "" : "queue.lock";
            string before = Folder.SettledSnapshot(path, lockFile);
            string[] words = command[0].Split(' ');
            File.WriteAllText(folder.Of("schema"), Order.Schema.Text);
            string[] arguments = [.. words, path, .. command[1..].Select(one => one == SchemaFile ? folder.Of("schema") : one)];
            string[] program = state is "unreadable" or "only readable" ? [.. Blitq.Nobody, Blitq.Program] : [Blitq.Program];
            Outcome outcome = command[0] == "serve"
                ? Served.Look([.. program, .. arguments])
                : Blitq.RunIn("/", words is ["import", "--create"] ? Exported : "{\"message\":{\"Id\":9}}\n", [.. program, .. arguments]);
            string error = Tidy(outcome.Error, folder.Path);
            bool isSame = before == Folder.Snapshot(path, lockFile);
            // A command for which there is no room has opened the queue, as any process does.
            Assert.True(isSame || (!isReading && outcome.Code is 0 or 5), $"{command[0]} has changed {state}");
            Assert.True(
                outcome.Code == 0 || outcome.Code == 2 || (error.StartsWith("blitq: ", StringComparison.Ordinal) && !error.Contains('\n')),
                $"{state}, {command[0]}: {outcome.Code} {error}");
            string changed = isSame ? "" : " (changed)";
            string name = words[0] == "bench" ? "bench" : command[0];
            return string.Create(CultureInfo.InvariantCulture, $"  {name,-16} {outcome.Code}{changed}  {error}").TrimEnd();
        }
        finally
        {
            locker?.Kill();
            locker?.Dispose();
        }
    }

    private static string Tidy(string error, string root)
        => Numbers().Replace(error.TrimEnd('\n').Replace(root, "", StringComparison.Ordinal), "N");

    private static void Compare(string state, string actual)
    {
        string file = Path.Combine(Blitq.Root(), "tests", "Cli.Tests", "Matrix.txt");
        string text = File.Exists(file) ? File.ReadAllText(file) : "";
        if (Environment.GetEnvironmentVariable("BLITQUEUE_DRAW") == "1")
        {
            File.WriteAllText(file, string.Concat(Tool.States.All.Select(
                one => one == state ? $"{state}\n{actual}\n" : Section(one).Match(text).Value)));
            return;
        }

        Assert.Equal(Section(state).Match(text).Value, $"{state}\n{actual}\n");
    }

    private static Regex Section(string state) => new($"^{Regex.Escape(state)}\n(  .*\n)*\n", RegexOptions.Multiline);

    [GeneratedRegex("(?<=Commands:\n(?:  .*\n)*)^  ([a-z]+) ", RegexOptions.Multiline)]
    private static partial Regex Names();

    [GeneratedRegex("(?<=process |held by |blitq-bench-)[0-9]+|(?<=-)[0-9]{8,}|(?<= since )[0-9: -]+(?= UTC)|(?<=\\()[0-9.]+(?= s\\))")]
    private static partial Regex Numbers();
}
