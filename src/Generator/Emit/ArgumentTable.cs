namespace BlitQueue.Generator.Emit;

/// <summary>Maps each type argument to its packer: the runtime's if there is one, else a generated class.</summary>
internal sealed class ArgumentTable
{
    private readonly string _access;
    private readonly List<ArgumentPackerEmitter> _packers = [];
    private readonly HashSet<string> _names = [];

    /// <param name="access">The generated classes' accessibility.</param>
    public ArgumentTable(string access) => _access = access;

    public void Write(IReadOnlyList<WireType> types, SourceWriter writer)
    {
        foreach (WireType type in types)
        {
            writer.Line($"if (type == typeof({type.Name}))");
            writer.Inner($"return {Packer(type)};");
        }
    }

    public void WritePackers(SourceWriter writer)
    {
        foreach (ArgumentPackerEmitter packer in _packers)
        {
            writer.Line();
            packer.Emit(_access, writer);
        }
    }

    private string Packer(WireType type)
    {
        switch (type.Kind)
        {
            case WireKind.Value:
                return $"new global::BlitQueue.Generated.ValueArgument<{type.Name}>(\"{type.Schema}\")";
            case WireKind.NullableValue:
                return $"new global::BlitQueue.Generated.NullableValueArgument<{type.Element!.Name}>(\"{type.Schema}\")";
            // Not a union that has a separate packer: such a union is no message itself.
            case WireKind.Message or WireKind.StructMessage when type.Packer.Length == 0:
                return $"new global::BlitQueue.Generated.MessageArgument<{type.Name}>()";
            default:
                return ArgumentPackerEmitter.HasStrings(type)
                    ? $"strings == {Names.Utf16} ? new {Added(type, isUtf16: true)}() : new {Added(type, isUtf16: false)}()"
                    : $"new {Added(type, isUtf16: false)}()";
        }
    }

    private string Added(WireType type, bool isUtf16)
    {
        string wanted = type.Word + (isUtf16 ? "Utf16Packer" : "Packer");
        string name = wanted;
        for (int i = 2; !_names.Add(name); i++)
        {
            name = wanted + i;
        }

        _packers.Add(new ArgumentPackerEmitter(type, name, isUtf16));
        return name;
    }
}
