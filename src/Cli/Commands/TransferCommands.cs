using BlitQueue.Cli.Lines;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Queues;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq export</c>, <c>blitq import</c> and <c>blitq send</c>.</summary>
internal static class TransferCommands
{
    private const int ReportEvery = 4096;

    public static Command MakeExport()
    {
        Argument<string> queue = Shared.Queue();
        Option<string?> from = Shared.From();
        Option<string?> subscription = Shared.Subscription("Only what this subscription has not committed.");
        Option<long?> count = Shared.Count("At most so many messages.");
        var output = new Option<string?>("--output", "-o") { Description = "A file that is made; without it standard output." };
        Option<bool> skip = ReadCommands.SkipDamage();
        return Shared.Command(
            "export", "Print messages as JSON lines that import turns into the same bytes; consumes nothing.",
            [queue, from, subscription, count, output, skip], result =>
            {
                using MessageSource source = ReadCommands.Open(
                    result.GetValue(queue)!, result.GetValue(from), result.GetValue(subscription), result.GetValue(skip),
                    out StoredSchema schema);
                using FileStream? file = result.GetValue(output) is { } path ? new FileStream(path, FileMode.CreateNew) : null;
                return Export(source, schema, file ?? Terminal.Out, result.GetValue(count) ?? long.MaxValue);
            });
    }

    private static int Export(MessageSource source, StoredSchema schema, Stream output, long count)
    {
        var lines = new MessageLines(schema, isExact: true);
        var json = new JsonOutput();
        ExportHeader.Write(source.Look, json);
        Write(json, output);
        bool isWhole = true;
        long first = source.Look.Position, end = Math.Max(source.Look.GetStatus().Next.Value, first + 1);
        Progress.Show("export", report =>
        {
            for (long exported = 0; exported < count && source.TryRead(); exported++)
            {
                json.Clear();
                isWhole &= lines.Write(source.Message, json) is null;
                Write(json, output);
                if (exported % ReportEvery == 0)
                {
                    report((source.Message.Position - first) / (double)(end - first));
                }
            }
            return true;
        });
        output.Flush();
        return isWhole && source.Skipped == 0 ? ExitCode.Fine : ExitCode.Damaged;
    }

    private static void Write(JsonOutput json, Stream output)
    {
        output.Write(json.Bytes);
        output.WriteByte((byte)'\n');
    }

    public static Command MakeImport()
    {
        Argument<string> queue = Shared.Queue();
        var input = new Argument<string?>("file")
        {
            Description = "The JSON lines; without it standard input.",
            DefaultValueFactory = static _ => null,
        };
        var create = new Option<bool>("--create") { Description = "Make the queue, if there is none, as the first line says." };
        var dry = new Option<bool>("--dry-run") { Description = "Only look whether every line is a message of the queue." };
        Option<double> wait = Shared.Wait();
        return Shared.Command(
            "import", "Append the messages that export has printed.", [queue, input, create, dry, wait], result =>
            {
                using Stream lines = result.GetValue(input) is { } file ? File.OpenRead(file) : Console.OpenStandardInput();
                var import = new Import(result.GetValue(queue)!, Shared.Seconds(result.GetValue(wait)), result.GetValue(create));
                long imported = Progress.Show("import", report => import.Run(lines, result.GetValue(dry), report));
                string what = result.GetValue(dry) ? "could be imported" : "imported";
                Console.Error.WriteLine($"{Columns.Count(imported, "message")} {what}");
                return ExitCode.Fine;
            });
    }

    public static Command MakeSend()
    {
        Argument<string> queue = Shared.Queue();
        var message = new Argument<string[]>("message")
        {
            Description = "Messages as JSON; without one, a message in each line of standard input.",
            DefaultValueFactory = static _ => [],
        };
        var property = new Option<string[]>("--property", "-p") { Description = "A property: label=rush." };
        var header = new Option<string[]>("--header", "-H") { Description = "A header: tenant=acme." };
        Option<double> wait = Shared.Wait();
        return Shared.Command("send", "Append messages that are given as JSON.", [queue, message, property, header, wait], result =>
        {
            byte[] properties = PropertiesOf(result.GetValue(property) ?? [], result.GetValue(header) ?? []);
            using MappedQueue<PackedMessage> opened = WritableQueue.Open(
                result.GetValue(queue)!, Shared.Seconds(result.GetValue(wait)), out StoredSchema schema);
            var lines = new MessageLines(schema, isExact: false);
            string[] given = result.GetValue(message) ?? [];
            foreach (string text in given.Length > 0 ? given : LinesOf(Console.In))
            {
                var packed = new PackedMessage { Bytes = lines.Encode(JsonInput.Whole(Encoding.UTF8.GetBytes(text))) };
                long position = opened.Producer.EnqueueBehind(packed, properties);
                Terminal.Line(position.ToString(CultureInfo.InvariantCulture));
                // What writes the lines may wait for the position.
                Terminal.Flush();
            }
            return ExitCode.Fine;
        });
    }

    private static IEnumerable<string> LinesOf(TextReader reader)
    {
        while (reader.ReadLine() is { } line)
        {
            if (line.Length > 0)
            {
                yield return line;
            }
        }
    }

    private static byte[] PropertiesOf(string[] properties, string[] headers)
    {
        var json = new JsonOutput();
        json.BeginObject();
        WritePairs(properties, json);
        if (headers.Length > 0)
        {
            json.Name("headers");
            json.BeginObject();
            WritePairs(headers, json);
            json.EndObject();
        }
        json.EndObject();
        var input = new JsonInput(json.Bytes);
        return PropertyLines.Read(ref input);
    }

    private static void WritePairs(string[] pairs, JsonOutput json)
    {
        foreach (string pair in pairs)
        {
            int equals = pair.IndexOf('=', StringComparison.Ordinal);
            if (equals <= 0)
            {
                throw new UsageException($"'{pair}' is no name=value.");
            }
            json.Member(pair[..equals], pair[(equals + 1)..]);
        }
    }
}
