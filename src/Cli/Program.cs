using System.CommandLine;
using System.CommandLine.Invocation;
using BlitQueue.Cli.Commands;
using BlitQueue.Cli.Output;

namespace BlitQueue.Cli;

/// <summary>The tool's entry: one command from the command line.</summary>
internal static class Program
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
            string faults = string.Join(" ", result.Errors.Select(static error => error.Message));
            Terminal.Complain($"{faults} See blitq --help.");
            return ExitCode.Usage;
        }
        return result.Invoke();
    }

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
