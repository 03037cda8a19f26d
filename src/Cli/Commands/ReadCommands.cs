using BlitQueue.Cli.Lines;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq tail</c> and <c>blitq peek</c>: messages for people, and as JSON.</summary>
internal static class ReadCommands
{
    private const long ShownByTail = 10;

    public static Command MakeTail()
    {
        Argument<string> queue = Shared.Queue();
        Option<bool> json = Shared.Json();
        Option<long?> count = Shared.Count("How many messages: the last ones, or with --from the first ones. Without -f: 10.");
        Option<string?> from = Shared.From();
        Option<string?> subscription = Shared.Subscription("What this subscription has not committed.");
        var follow = new Option<bool>("--follow", "-f") { Description = "Go on as messages arrive, until it is interrupted." };
        Option<bool> skip = SkipDamage();
        return Shared.Command(
            "tail", "Print a queue's messages; consumes nothing.", [queue, json, count, from, subscription, follow, skip], result =>
                Tail(
                    result.GetValue(queue)!, result.GetValue(from), result.GetValue(subscription), result.GetValue(count),
                    result.GetValue(follow), result.GetValue(json), result.GetValue(skip)));
    }

    public static Command MakePeek()
    {
        Argument<string> queue = Shared.Queue();
        var at = new Option<string?>("--at") { Description = "The position of the message; without it the next one." };
        Option<string?> subscription = Shared.Subscription("The next message of this subscription; without it of the whole queue.");
        Option<bool> json = Shared.Json();
        return Shared.Command("peek", "Print one message; consumes nothing.", [queue, at, subscription, json], result =>
        {
            using MessageSource source = Open(
                result.GetValue(queue)!, result.GetValue(at), result.GetValue(subscription), skipsDamage: false, out StoredSchema schema);
            if (!source.TryRead())
            {
                Terminal.Complain($"{source.Look.Path}: there is no such message.");
                return ExitCode.Passed;
            }
            return new Printer(schema, result.GetValue(json)).Print(source.Message) ? ExitCode.Fine : ExitCode.Damaged;
        });
    }

    public static Option<bool> SkipDamage() => new("--skip-damage")
    {
        Description = "Go on behind damaged parts of the log, and exit with 2 at the end.",
    };

    public static MessageSource Open(string path, string? from, string? subscription, bool skipsDamage, out StoredSchema schema)
    {
        var look = QueueLook.Open(path);
        try
        {
            schema = StoredSchema.Parse(look.Schema);
            return new MessageSource(
                look, from, subscription, skipsDamage ? static damage => Terminal.Complain(Guarded.TextOf(damage)) : null);
        }
        catch
        {
            look.Dispose();
            throw;
        }
    }

    private static int Tail(string path, string? from, string? subscription, long? count, bool follows, bool isJson, bool skipsDamage)
    {
        if (count < 0)
        {
            throw new UsageException($"{count} is no number of messages.");
        }
        using MessageSource source = Open(path, from, subscription, skipsDamage, out StoredSchema schema);
        var printer = new Printer(schema, isJson);
        bool isWhole = from is null && subscription is null
            ? PrintLast(source, printer, count ?? (follows ? 0 : ShownByTail))
            : PrintFirst(source, printer, count ?? long.MaxValue, follows);
        if (follows && (from is null && subscription is null))
        {
            isWhole &= Follow(source, printer, long.MaxValue);
        }
        return isWhole && source.Skipped == 0 ? ExitCode.Fine : ExitCode.Damaged;
    }

    private static bool PrintLast(MessageSource source, Printer printer, long count)
        => !source.TrySeekLast(count) || PrintFirst(source, printer, count, follows: false);

    private static bool PrintFirst(MessageSource source, Printer printer, long count, bool follows)
    {
        bool isWhole = true;
        long printed = 0;
        while (printed < count && source.TryRead())
        {
            isWhole &= printer.Print(source.Message);
            printed++;
        }
        return follows && printed < count ? Follow(source, printer, count - printed) && isWhole : isWhole;
    }

    private static bool Follow(MessageSource source, Printer printer, long count)
    {
        Courtesy.GiveWay();
        using var interrupted = new CancellationTokenSource();
        Console.CancelKeyPress += (_, pressed) =>
        {
            pressed.Cancel = true;
            interrupted.Cancel();
        };
        bool isWhole = true;
        for (long printed = 0; printed < count && source.Follow(interrupted.Token); printed++)
        {
            isWhole &= printer.Print(source.Message);
        }
        return isWhole;
    }

    /// <summary>Prints messages, a line each.</summary>
    private sealed class Printer(StoredSchema schema, bool isJson)
    {
        private readonly MessageLines _lines = new(schema, isExact: false);
        private readonly JsonOutput _json = new();

        /// <returns>Whether the message can be read.</returns>
        public bool Print(StoredMessage message)
        {
            _json.Clear();
            string? fault = isJson ? _lines.Write(message, _json) : _lines.WriteForPeople(message, _json);
            Terminal.Line(_json.Bytes);
            return fault is null;
        }
    }
}
