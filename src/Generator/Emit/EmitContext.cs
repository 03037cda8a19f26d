namespace BlitQueue.Generator.Emit;

/// <summary>
/// Collects the helper methods that one file's code calls and that still have to be written: each once, in the order of first use.
/// </summary>
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

    /// <summary>The method that constructs a message without setting its required members; empty if no code needs it.</summary>
    public string New { get; private set; } = "";

    /// <summary>The name of the method that reads the bytes of another version of the type.</summary>
    public string OtherVersion { get; }

    /// <summary>Has <see cref="New"/> written, and gives its name.</summary>
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

    // The same type with a different packer somewhere inside needs a helper method of its own.
    private static string Packers(WireType type)
        => $"{type.Packer}({(type.Element is { } element ? Packers(element) : "")}{string.Concat(type.Parts.Select(Packers))})";

    /// <summary>A name that no other member of the file has.</summary>
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
