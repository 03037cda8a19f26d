using System.CommandLine.Completions;
using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Commands;

/// <summary>Arguments and options that several commands have.</summary>
internal static class Shared
{
    public static Argument<string> Queue()
    {
        var argument = new Argument<string>("queue") { Description = "The directory of a queue.", HelpName = "queue" };
        argument.CompletionSources.Add(static context => Directories(context.WordToComplete));
        return argument;
    }

    public static Option<bool> Json() => new("--json") { Description = "Print JSON instead of text." };

    public static Option<string?> Subscription(string description)
    {
        var option = new Option<string?>("--subscription", "-s") { Description = description };
        option.CompletionSources.Add(static context => Subscriptions(context));
        return option;
    }

    public static Option<string?> From() => new("--from")
    {
        Description = "Where to begin: oldest, newest, a position, or a time such as 2026-01-31T12:00:00Z.",
    };

    public static Option<long?> Count(string description) => new("--count", "-n") { Description = description };

    public static Option<double> Wait() => new("--wait")
    {
        Description = "How many seconds to wait for a process that does not get on.",
        DefaultValueFactory = static _ => 5,
    };

    public static Option<bool> Yes() => new("--yes") { Description = "Do it. Without this option the command only says what it would do." };

    /// <summary>A command that runs to an exit code.</summary>
    public static Command Command(string name, string description, IEnumerable<Symbol> symbols, Func<ParseResult, int> run)
    {
        var command = new Command(name, description);
        foreach (Symbol symbol in symbols)
        {
            if (symbol is Argument argument)
            {
                command.Arguments.Add(argument);
            }
            else if (symbol is Option option)
            {
                command.Options.Add(option);
            }
        }
        command.SetAction(result => Guarded.Run(() => run(result)));
        return command;
    }

    /// <summary>
    /// A command that looks at a queue and prints what it sees: as JSON if the second argument of <paramref name="run"/> is true, else as
    /// text.
    /// </summary>
    public static Command Look(string name, string description, Func<QueueLook, bool, int> run)
    {
        Argument<string> queue = Queue();
        Option<bool> json = Json();
        return Command(name, description, [queue, json], result =>
        {
            using var look = QueueLook.Open(result.GetValue(queue)!);
            return run(look, result.GetValue(json));
        });
    }

    public static TimeSpan Seconds(double seconds) => seconds is >= 0 and < 1e6
        ? TimeSpan.FromSeconds(seconds)
        : throw new UsageException(string.Create(CultureInfo.InvariantCulture, $"{seconds} is no number of seconds."));

    private static IEnumerable<CompletionItem> Directories(string word)
    {
        string above = Path.GetDirectoryName(word) is { Length: > 0 } directory ? directory : word.StartsWith('/') ? "/" : ".";
        try
        {
            return [.. Directory.EnumerateDirectories(above).Select(path => new CompletionItem(above == "." ? path[2..] : path))
                .Where(item => item.Label.StartsWith(word, StringComparison.Ordinal))];
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static IEnumerable<CompletionItem> Subscriptions(CompletionContext context)
    {
        try
        {
            string? queue = context.ParseResult.Tokens.Skip(1).Select(static token => token.Value).FirstOrDefault(MappedQueue.Exists);
            return queue is null ? [] : MappedQueue.ListSubscriptions(queue).Select(static name => new CompletionItem(name));
        }
        catch (QueueException)
        {
            return [];
        }
    }
}
