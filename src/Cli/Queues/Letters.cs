using BlitQueue.Cli.Codecs;
using BlitQueue.Cli.Lines;
using BlitQueue.Cli.Output;

namespace BlitQueue.Cli.Queues;

/// <summary>The dead letters of a subscription, a queue with a schema of its own. Reading does not take them.</summary>
internal sealed class Letters : IDisposable
{
    private const string Envelope = "Position,Attempts,Time,Reason,Message";

    private readonly MessageSource _source;
    private readonly MessageCodec _letters;
    private readonly MessageLines _messages;
    private readonly JsonOutput _letter = new();

    private Letters(string queue, string directory)
    {
        using var origin = QueueLook.Open(queue);
        var look = QueueLook.Open(directory);
        var schema = StoredSchema.Parse(look.Schema);
        StoredType type = schema.Types[0];
        if (string.Join(',', type.Members.Select(static member => member.Name)) != Envelope || type.Members[^1].Kind.Message < 0)
        {
            look.Dispose();
            throw new QueueCorruptException(directory, 0, "its schema is not that of dead letters.");
        }
        // The message is read separately, so that a letter is shown even if its message cannot be read.
        string text = schema.Text.Replace($",Message:{type.Members[^1].Kind}", ",Message:packed", StringComparison.Ordinal);
        _letters = new MessageCodec(StoredSchema.Parse(text));
        _messages = new MessageLines(schema, isExact: false, type.Members[^1].Kind.Message);
        _source = new MessageSource(look, from: null, "default", skips: null, origin);
    }

    /// <summary>Opens the letters of a subscription; null if it never had any.</summary>
    public static Letters? TryOpen(string queue, string subscription)
    {
        string directory = Path.Combine(Path.GetFullPath(queue), $"dead-{subscription}");
        return MappedQueue.Exists(directory) ? new Letters(queue, directory) : null;
    }

    /// <summary>The position that the message had.</summary>
    public long Position { get; private set; }

    public string Attempts { get; private set; } = "";

    public string Time { get; private set; } = "";

    public string Reason { get; private set; } = "";

    private byte[] Packed { get; set; } = [];

    /// <summary>Reads the next letter, if there is one.</summary>
    public bool TryRead()
    {
        if (!_source.TryRead())
        {
            return false;
        }
        _letter.Clear();
        _letters.Decode(_source.Message.Packed, _letter);
        Take(new JsonInput(_letter.Bytes));
        return true;
    }

    private void Take(JsonInput json)
    {
        (Reason, Packed) = ("", []);
        while (json.TryNextMember(out string name))
        {
            Position = name == "Position" ? json.Integer<long>() : Position;
            Attempts = name == "Attempts" ? json.Raw() : Attempts;
            Time = name == "Time" ? json.Text() : Time;
            Reason = name == "Reason" && !json.IsNull ? json.Text() : Reason;
            Packed = name == "Message" && !json.IsNull ? json.Base64() : Packed;
        }
    }

    /// <summary>When the oldest was set aside, and why the newest was.</summary>
    public (string? Oldest, string? Reason) Summary()
    {
        string? oldest = null, reason = null;
        while (TryRead())
        {
            oldest ??= Time;
            reason = Reason;
        }
        return (oldest, reason);
    }

    /// <summary>The message of the letter for people.</summary>
    /// <param name="fault">null; or what is wrong with it.</param>
    public string TextOfMessage(out string? fault)
    {
        var json = new JsonOutput();
        fault = _messages.WriteMessage(Packed, json);
        return fault is null ? json.ToString()["\"message\":".Length..] : $"not readable: {fault}";
    }

    /// <summary>Prints the letter that was read.</summary>
    /// <returns>Whether its message can be read.</returns>
    public bool Print(bool isJson)
    {
        if (isJson)
        {
            return PrintJson();
        }
        Terminal.Line($"{Position}  {Time}  attempts {Attempts}  {Reason}");
        Terminal.Line($"  {TextOfMessage(out string? fault)}");
        return fault is null;
    }

    private bool PrintJson()
    {
        var json = new JsonOutput();
        json.BeginObject();
        json.Member("position", Position);
        json.Name("attempts");
        json.Raw(System.Text.Encoding.ASCII.GetBytes(Attempts));
        json.Member("time", Time);
        json.Member("reason", Reason);
        string? fault = _messages.WriteMessage(Packed, json);
        if (!_source.Message.Properties.IsEmpty)
        {
            json.Name("properties");
            PropertyLines.Write(_source.Message.Properties, json);
        }
        json.EndObject();
        Terminal.Line(json.Bytes);
        return fault is null;
    }

    public void Dispose() => _source.Dispose();
}
