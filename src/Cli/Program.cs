using System.CommandLine.Invocation;
using System.Text.RegularExpressions;
using BlitQueue.Cli.Commands;
using BlitQueue.Cli.Output;

namespace BlitQueue.Cli;

/// <summary>The tool's entry: one command from the command line.</summary>
internal static partial class Program
{
    private static int Main(string[] arguments)
    {
        var root = new RootCommand("Looks into BlitQueue queues: docs/tool.md.");
        foreach (Command command in All())
        {
            root.Subcommands.Add(command);
        }
        ParseResult result = root.Parse(arguments);
        if (result.Action is ParseErrorAction)
        {
            string faults = string.Join(" ", result.Errors.Select(static error => ForShell(error.Message)));
            Terminal.Complain($"{faults} See blitq --help.");
            return ExitCode.Usage;
        }
        return result.Invoke();
    }

    // The parser names the types of .NET.
    private static string ForShell(string fault) => Types().Replace(
        fault, static match => match.Value.Contains("Int", StringComparison.Ordinal) ? "a whole number" : "a number");

    [GeneratedRegex("expected type 'System\\.(Nullable`1\\[System\\.)?(Int|Double)[0-9]*\\]?'")]
    private static partial Regex Types();

    private static Command[] All() =>
    [
        ListCommand.Make(),
        InspectCommand.Make(),
        StatCommand.Make(),
        ReadCommands.MakeTail(),
        ReadCommands.MakePeek(),
        SubscriptionsCommand.Make(),
        TransferCommands.MakeExport(),
        TransferCommands.MakeImport(),
        TransferCommands.MakeSend(),
        ChangeCommands.MakeSeek(),
        ChangeCommands.MakePurge(),
        BridgeCommands.MakeForward(),
        BridgeCommands.MakeReceive(),
        LetterCommands.Make(),
        CheckCommands.MakeVerify(),
        CheckCommands.MakeRepair(),
        SchemaCommands.Make(),
        TopCommand.Make(),
        ServeCommand.Make(),
        BenchCommand.Make(),
        CompletionCommand.Make(),
    ];
}
