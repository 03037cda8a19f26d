using BlitQueue.Generator.Emit.Kinds;

namespace BlitQueue.Generator.Emit;

/// <summary>Writes the packer of a type argument for which the runtime has no packer: a collection, a tuple and so on.</summary>
internal sealed class ArgumentPackerEmitter
{
    private const string VariableSize = "4";

    // Members of the base class: a helper method with such a name would hide one.
    private static readonly string[] Taken =
        ["PackElement", "PackSpan", "PackItems", "UnpackElement", "UnpackFresh", "UnpackArray", "UnpackList"];

    private readonly WireType _type;
    private readonly MessageModel _model;

    public ArgumentPackerEmitter(WireType type, string name, bool isUtf16)
    {
        _type = type with { StandsAlone = true };
        Name = name;
        _model = Frame(isUtf16);
    }

    public string Name { get; }

    /// <summary>
    /// Whether the packer depends on the encoding of strings. A message in the type does not count: it has its own encoding.
    /// </summary>
    public static bool HasStrings(WireType type)
        => type.Kind == WireKind.String
        || type is { Kind: WireKind.Object, Schema: "string" }
        || (type.Element is { } element && HasStrings(element))
        || type.Parts.Any(HasStrings);

    public void Emit(string access, SourceWriter writer)
    {
        var context = new EmitContext(_model);
        KindCode code = KindCodes.For(_type);
        string value = _type.IsStruct ? _type.Name : _type.Name + "?";
        writer.Open($"{access} sealed class {Name} : global::BlitQueue.Generated.ArgumentPacker<{_type.Name}>");
        WriteSchema(writer);
        if (Elements.MinimumSize(context, _type) is var size && size != VariableSize)
        {
            writer.Line().Line($"public override int MinimumSize => {size};");
        }

        writer.Line();
        writer.Open($"public override void Pack(ref {Names.Writer} writer, {value} value)");
        writer.Line(code.Pack(_type, "value", context));
        writer.Close();
        context.WritePackHelpers(writer);
        writer.Line();
        writer.Open($"public override {value} Unpack(ref {Names.Reader} reader, {value} given)");
        writer.Line($"return {code.Unpack(_type, "given", context)};");
        writer.Close();
        context.WriteUnpackHelpers(writer);
        writer.Close();
    }

    private void WriteSchema(SourceWriter writer)
    {
        List<WireType> nested = [];
        string kind = KindCodes.For(_type).Schema(_type, nested);
        string links = string.Concat(nested.Select(type => $", static () => {SchemaEmitter.Link(type, _model)}"));
        string details = _type.RunsUserCode ? " { RunsUserCode = true }" : "";
        writer.Line($"public override global::BlitQueue.Generated.KindSchema Schema {{ get; }} = new(\"{kind}\"{links}){details};");
        if (nested.Exists(type => !type.IsDirect))
        {
            SchemaEmitter.WriteSchemaOf(writer, _model);
        }
    }

    // A model with only what the kinds' code reads from it: the encoding of strings, and the names that are taken.
    private static MessageModel Frame(bool isUtf16) => new()
    {
        Header = new TypeHeader
        {
            Namespace = "",
            Containers = EquatableArray<string>.Empty,
            Declaration = "",
            TypeParameters = EquatableArray<string>.Empty,
            IsOpenToAll = true,
            Name = "",
            DisplayName = "",
            HintName = "",
        },
        IsStruct = false,
        CanBeDerived = false,
        IsRefused = false,
        Creation = new Creation { FillsInPlace = true },
        Clashes = new Clashes
        {
            Pack = false,
            Unpack = false,
            Schema = false,
            HidesBaseSchema = false,
            Taken = new EquatableArray<string>(Taken),
        },
        StringsAreUtf16 = isUtf16,
        RunsUserCode = false,
    };
}
