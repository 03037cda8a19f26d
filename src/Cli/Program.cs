using System.CommandLine;
using System.CommandLine.Invocation;
using BlitQueue.Cli.Commands;
using BlitQueue.Cli.Output;

namespace BlitQueue.Cli;

/// <summary>The tool's entry: one command from the command line.</summary>
internal static class Program
{
    /// <summary>The commands in the order of the help, each made when it is needed.</summary>
    internal static readonly (string Name, Func<Command> Make)[] Commands =
    [
        ("ls", ListCommand.Make),
        ("inspect", InspectCommand.Make),
        ("stat", StatCommand.Make),
        ("tail", ReadCommands.MakeTail),
        ("peek", ReadCommands.MakePeek),
        ("subscriptions", SubscriptionsCommand.Make),
        ("export", TransferCommands.MakeExport),
        ("import", TransferCommands.MakeImport),
        ("send", TransferCommands.MakeSend),
        ("seek", ChangeCommands.MakeSeek),
        ("purge", ChangeCommands.MakePurge),
        ("dlq", LetterCommands.Make),
        ("verify", CheckCommands.MakeVerify),
        ("repair", CheckCommands.MakeRepair),
        ("schema", SchemaCommands.Make),
        ("top", TopCommand.Make),
        ("serve", ServeCommand.Make),
        ("bench", BenchCommand.Make),
        ("completion", CompletionCommand.Make),
    ];

    private static int Main(string[] arguments)
    {
        var root = new RootCommand("Looks into BlitQueue queues: docs/tool.md.");
        foreach (Func<Command> make in Needed(arguments))
        {
            root.Subcommands.Add(make());
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

    // The one that is named first: making the others takes longer than most commands run. All of them for help, completion and mistakes.
    private static Func<Command>[] Needed(string[] arguments)
    {
        Func<Command>[] named = [.. Commands.Where(one => arguments.Length > 0 && one.Name == arguments[0]).Select(static one => one.Make)];
        return named.Length > 0 ? named : [.. Commands.Select(static one => one.Make)];
    }
}
