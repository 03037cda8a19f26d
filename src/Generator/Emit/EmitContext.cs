namespace BlitQueue.Generator.Emit;

/// <summary>What one file's code refers to and still has to be written: helper methods, each once, in the order of first use.</summary>
internal sealed class EmitContext
{
    private readonly Dictionary<string, string> _names = [];
    private readonly HashSet<string> _taken;
    private readonly Queue<(WireType Type, string Name)> _packHelpers = new();
    private readonly Queue<(WireType Type, string Name)> _unpackHelpers = new();

    public EmitContext(MessageModel model)
    {
        Model = model;
        _taken = [.. model.Clashes.Taken, "Pack", "Unpack"];
        OtherVersion = Free("UnpackOtherVersion");
    }

    public MessageModel Model { get; }

    /// <summary>The method that constructs a message without setting what is required; empty where none is asked for.</summary>
    public string New { get; private set; } = "";

    /// <summary>The method that reads what another version of the type wrote.</summary>
    public string OtherVersion { get; }

    /// <summary>Asks for <see cref="New"/>.</summary>
    public string NeedNew() => New = New.Length > 0 ? New : Free("UnpackNew");

    public string PackHelper(WireType type) => Helper("Pack", type, _packHelpers);

    public string UnpackHelper(WireType type) => Helper("Unpack", type, _unpackHelpers);

    public void WritePackHelpers(SourceWriter writer)
    {
        while (_packHelpers.Count > 0)
        {
            (WireType? type, string? name) = _packHelpers.Dequeue();
            writer.Line();
            KindCodes.For(type).WritePackHelper(type, name, writer, this);
        }
    }

    public void WriteUnpackHelpers(SourceWriter writer)
    {
        while (_unpackHelpers.Count > 0)
        {
            (WireType? type, string? name) = _unpackHelpers.Dequeue();
            writer.Line();
            KindCodes.For(type).WriteUnpackHelper(type, name, writer, this);
        }
    }

    private string Helper(string verb, WireType type, Queue<(WireType, string)> waiting)
    {
        string key = verb + type.Name + Packers(type);
        if (_names.TryGetValue(key, out string? known))
        {
            return known;
        }

        string name = Free(verb + type.Word);
        _names.Add(key, name);
        waiting.Enqueue((type, name));
        return name;
    }

    // The same type with another packer somewhere inside is another type here.
    private static string Packers(WireType type)
        => $"{type.Packer}({(type.Element is { } element ? Packers(element) : "")}{string.Concat(type.Parts.Select(Packers))})";

    /// <summary>A name that nothing else in the file has.</summary>
    public string Free(string wanted)
    {
        string name = wanted;
        for (int i = 2; !_taken.Add(name); i++)
        {
            name = wanted + i;
        }

        return name;
    }
}
