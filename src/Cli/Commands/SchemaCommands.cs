using System.Text.RegularExpressions;
using BlitQueue.Cli.Output;
using BlitQueue.Cli.Sources;

namespace BlitQueue.Cli.Commands;

/// <summary><c>blitq schema</c>: the message type that a queue stores.</summary>
internal static partial class SchemaCommands
{
    public static Command Make()
    {
        var command = new Command("schema", "The message type that a queue stores: show, diff, gen.");
        command.Subcommands.Add(MakeShow());
        command.Subcommands.Add(MakeDiff());
        command.Subcommands.Add(MakeGen());
        return command;
    }

    private static Command MakeShow()
    {
        Argument<string> queue = Shared.Queue();
        Option<bool> json = Shared.Json();
        var text = new Option<bool>("--text") { Description = "Print it as the queue stores it, in one line." };
        return Shared.Command("show", "Print the schema.", [queue, json, text], result =>
        {
            using var look = QueueLook.Open(result.GetValue(queue)!);
            var schema = StoredSchema.Parse(look.Schema);
            if (result.GetValue(json))
            {
                Terminal.Line(JsonOf(schema, look.GetDetails().Fingerprint).Bytes);
            }
            else if (result.GetValue(text))
            {
                Terminal.Line(schema.Text);
            }
            else
            {
                Print(schema);
            }
            return ExitCode.Fine;
        });
    }

    private static void Print(StoredSchema schema)
    {
        for (int number = 0; number < schema.Types.Count; number++)
        {
            StoredType type = schema.Types[number];
            Terminal.Line(string.Create(CultureInfo.InvariantCulture, $"#{number}{(type.Form.Length > 0 ? $" {type.Form}" : "")}"));
            foreach (StoredMember member in type.Members)
            {
                string name = type.Form == "tolerant"
                    ? string.Create(CultureInfo.InvariantCulture, $"{member.Name}@{member.Number}")
                    : member.Name;
                Terminal.Line($"  {name}: {member.Kind}");
            }
        }
    }

    private static JsonOutput JsonOf(StoredSchema schema, ulong fingerprint)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("fingerprint", fingerprint.ToString("x16", CultureInfo.InvariantCulture));
        json.Member("text", schema.Text);
        json.Elements("types", schema.Types, type => Write(type, json));
        json.EndObject();
        return json;
    }

    private static void Write(StoredType type, JsonOutput json)
    {
        json.BeginObject();
        json.Member("form", type.Form);
        json.Elements("members", type.Members, member =>
        {
            json.BeginObject();
            json.Member("name", member.Name);
            json.Member("kind", member.Kind.ToString());
            json.Member("number", member.Number < 0 ? null : member.Number);
            json.EndObject();
        });
        json.EndObject();
    }

    private static Command MakeDiff()
    {
        Argument<string> queue = Shared.Queue();
        var other = new Argument<string>("other") { Description = "Another queue, or a file with the text of a schema." };
        Option<bool> json = Shared.Json();
        const string Description = "Compare the message types of two queues; exits with 1 if they differ.";
        return Shared.Command("diff", Description, [queue, other, json], result =>
        {
            MessageSchema ours = SchemaOf(result.GetValue(queue)!).Describe();
            IReadOnlyList<string> lines = ours.Difference(SchemaOf(result.GetValue(other)!).Text);
            if (result.GetValue(json))
            {
                PrintDifference(lines);
            }
            else
            {
                lines.ToList().ForEach(Terminal.Line);
            }
            return lines.Count > 0 ? ExitCode.Passed : ExitCode.Fine;
        });
    }

    private static void PrintDifference(IReadOnlyList<string> lines)
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("same", lines.Count == 0);
        json.Elements("differences", lines, line => json.Text(line));
        json.EndObject();
        Terminal.Line(json.Bytes);
    }

    private static Command MakeGen()
    {
        var queue = new Argument<string>("queue") { Description = "A queue, or a file with the text of a schema." };
        var language = new Option<string>("--lang") { Description = "The language.", Required = true };
        language.AcceptOnlyFromAmong("c", "python", "ts");
        var name = new Option<string>("--name")
        {
            Description = "The type of the queue's own message; those of others have a number behind it.",
            DefaultValueFactory = static _ => "Message",
        };
        var output = new Option<string?>("--output", "-o") { Description = "A file, which is replaced; without it standard output." };
        return Shared.Command("gen", "Print types in another language, which read and write packed messages.",
            [queue, language, name, output], result =>
            {
                string type = result.GetValue(name)!;
                if (!TypeName().IsMatch(type))
                {
                    throw new UsageException($"'{type}' is no name of a type: use letters, digits and '_'.");
                }
                StoredSchema schema = SchemaOf(result.GetValue(queue)!);
                string text = result.GetValue(language) switch
                {
                    "c" => new CSource(schema, type).ToString(),
                    "python" => new PythonSource(schema, type).ToString(),
                    _ => new TypeScriptSource(schema, type).ToString(),
                };
                if (result.GetValue(output) is { } file)
                {
                    File.WriteAllText(file, text);
                }
                else
                {
                    Terminal.Line(text.TrimEnd('\n'));
                }
                return ExitCode.Fine;
            });
    }

    [GeneratedRegex("^[A-Za-z_][A-Za-z0-9_]*$")]
    private static partial Regex TypeName();

    private static StoredSchema SchemaOf(string path)
    {
        if (File.Exists(path))
        {
            string text = File.ReadAllText(path).Trim();
            try
            {
                return StoredSchema.Parse(text);
            }
            catch (FormatException exception)
            {
                throw new JsonFaultException($"{path}: {exception.Message}");
            }
        }
        using var look = QueueLook.Open(path);
        return StoredSchema.Parse(look.Schema);
    }
}
