namespace BlitQueue.Cli.Sources;

/// <summary>A TypeScript module with a class for each message of a schema. It needs nothing but ECMAScript 2022.</summary>
/// <param name="schema">The messages.</param>
/// <param name="name">The class of the queue's own message; those of others have a number behind it.</param>
internal sealed class TypeScriptSource(StoredSchema schema, string name) : ModuleSource(schema, name)
{
    // Names that every class has already.
    private static readonly string[] Reserved = ["constructor", "pack", "__proto__", "toString", "valueOf", "hasOwnProperty"];

    protected override void AppendHead()
    {
        Add($"// Messages of a BlitQueue queue. Made by `blitq schema gen --lang ts`.\n");
        Add($"// Each class has `unpack(bytes)`, which returns null where null was packed, and `pack()`. Where a kind cannot be told by\n");
        Add($"// the schema alone (a packer of one's own, Brotli, a time zone), the member is its bytes.\n// {Schema.Text}\n\n");
        Module.Append(EmbeddedText.Of("packed.ts"));
    }

    protected override void AppendRaw(int number)
    {
        Add($"\n/** A message of raw bytes. */\nexport type {ClassOf(number)} = Uint8Array;\n");
        Add($"\nconst {ShapeOf(number)}: Kind<Uint8Array | null> = kinds.bytes as Kind<Uint8Array | null>;\n");
    }

    protected override void AppendMessage(int number, StoredType type)
    {
        string own = ClassOf(number);
        var names = new Identifiers(Reserved);
        var members = type.Members.Select(member => (Name: names.Of(member.Name), Member: member)).ToList();
        Add($"\nexport class {own} {{\n");
        foreach ((string member, StoredMember stored) in members)
        {
            Add($"  {member}: {TypeOf(stored.Kind)} = {DefaultOf(stored.Kind)};\n");
        }
        Add($"\n  /** Reads a packed message; throws a PackError where the bytes are none. */\n");
        Add($"  static unpack(bytes: Uint8Array): {own} | null {{\n    return unpackWith({ShapeOf(number)}, bytes);\n  }}\n\n");
        Add($"  /** The bytes of the message; throws a PackError if a value does not fit its kind. */\n");
        Add($"  pack(): Uint8Array {{\n    return packWith({ShapeOf(number)}, this);\n  }}\n}}\n\n");
        string shape = type.Form switch
        {
            "tolerant" => $"NumberedShape({own}",
            "circular" => $"Shape({own}, true",
            _ => $"Shape({own}, false",
        };
        Add($"const {ShapeOf(number)}: Kind<{own} | null> = new {shape}, () => rows{number});\n");
        Add($"const rows{number}: Row[] = [\n");
        foreach ((string member, StoredMember stored) in members)
        {
            Add($"  {{ name: \"{member}\", number: {stored.Number}, kind: {KindOf(stored.Kind)} }},\n");
        }
        Add($"];\n");
    }

    protected override void AppendUnion(int number, StoredType type)
    {
        string own = ClassOf(number), cases = string.Join(" | ", type.Members.Select(member => ClassOf(member.Kind.Message)));
        Add($"\nexport type {own} = {(cases.Length == 0 ? "never" : cases)};\n\n");
        Add($"/** Reads and writes messages that are one of the cases. */\nexport const {own} = {{\n");
        Add($"  unpack: (bytes: Uint8Array): {own} | null => unpackWith({ShapeOf(number)}, bytes),\n");
        Add($"  pack: (value: {own}): Uint8Array => packWith({ShapeOf(number)}, value),\n}};\n\n");
        Add($"const {ShapeOf(number)}: Kind<{own} | null> = new CaseShape<{own}>(() => [\n");
        foreach (StoredMember member in type.Members)
        {
            Add($"  [{member.Number}, {ClassOf(member.Kind.Message)}, nested(() => {ShapeOf(member.Kind.Message)})],\n");
        }
        Add($"]);\n");
    }

    private static string ShapeOf(int number) => string.Create(CultureInfo.InvariantCulture, $"shape{number}");

    protected override string Null => "null";

    protected override string GridKind => "Cells";

    protected override string Made(string name, string arguments) => $"new {name}({arguments})";

    protected override string FixedKindOf(Kind kind) => kind.IsBlit ? $"blit({SizeOf(kind)})" : "kinds." + kind.Name;

    protected override string MapKindOf(string parts, bool hasEqualKeys) => Made(hasEqualKeys ? "Table" : "Pairs", parts);

    protected override string OtherKindOf(Kind kind) => kind.Name switch
    {
        _ when kind.Message >= 0 => $"nested(() => {ShapeOf(kind.Message)})",
        "string" or "uri" or "culture" => "kinds.text",
        "bits" or "version" => "kinds." + kind.Name,
        "bigint" => kind.IsNullable ? "kinds.optionalBigint" : "kinds.bigint",
        _ => "kinds.bytes",
    };

    private string TypeOf(Kind kind) => kind.FixedSize > 0 && !kind.IsNullable || kind is { Name: "bigint", IsNullable: false }
        ? ContentTypeOf(kind)
        : ContentTypeOf(kind) + " | null";

    private string ContentTypeOf(Kind kind) => kind.Form switch
    {
        _ when kind.Message >= 0 => ClassOf(kind.Message),
        "bool" => "boolean",
        "i64" or "u64" or "i128" or "u128" or "timespan" or "time" or "bigint" => "bigint",
        "char" or "rune" or "guid" or "string" or "uri" or "culture" => "string",
        "decimal" => "Decimal",
        "complex" => "Complex",
        "datetime" => "DateTime",
        "datetimeoffset" => "DateTimeOffset",
        _ when kind.FixedSize > 0 => kind.IsBlit ? "Uint8Array" : "number",
        "list" => $"({TypeOf(kind.Parts[0])})[]",
        "map" when HasEqualKeys(kind) => $"Map<{ContentTypeOf(kind.Parts[0])}, {TypeOf(kind.Parts[1])}>",
        "map" => $"[{ContentTypeOf(kind.Parts[0])}, {TypeOf(kind.Parts[1])}][]",
        "tuple" => $"[{string.Join(", ", kind.Parts.Select(TypeOf))}]",
        "grid2" or "grid3" or "grid4" => $"Grid<{TypeOf(kind.Parts[0])}>",
        "bits" => "boolean[]",
        "version" => "number[]",
        _ => "Uint8Array",
    };

    protected override string ZeroOf(Kind kind) => kind.Name switch
    {
        "bool" => "false",
        "i64" or "u64" or "i128" or "u128" or "timespan" or "time" or "bigint" => "0n",
        "char" or "rune" => "\"\\0\"",
        "guid" => "\"00000000-0000-0000-0000-000000000000\"",
        "decimal" => "{ units: 0n, scale: 0, isNegative: false }",
        "complex" => "{ real: 0, imaginary: 0 }",
        "datetime" => "{ ticks: 0n, kind: 0 }",
        "datetimeoffset" => "{ utcTicks: 0n, offsetMinutes: 0 }",
        _ when kind.IsBlit => $"new Uint8Array({SizeOf(kind)})",
        _ => "0",
    };

    // Equal keys are equal in JavaScript as well.
    protected override bool HasEqualKeys(Kind map) => map.Parts[0] is
    {
        Parts.Count: 0,
        IsNullable: false,
        Name: "bool" or "i8" or "u8" or "i16" or "u16" or "i32" or "u32" or "i64" or "u64" or "i128" or "u128" or "char" or "rune"
            or "guid" or "string" or "uri" or "culture" or "date" or "time" or "timespan" or "bigint",
    };

    private void Add(FormattableString text) => Module.Append(text.ToString(CultureInfo.InvariantCulture));
}
