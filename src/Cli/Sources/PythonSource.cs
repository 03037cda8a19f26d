namespace BlitQueue.Cli.Sources;

/// <summary>A Python module with a data class for each message of a schema. It needs nothing but Python 3.10.</summary>
/// <param name="schema">The messages.</param>
/// <param name="name">The class of the queue's own message; those of others have a number behind it.</param>
internal sealed class PythonSource(StoredSchema schema, string name) : ModuleSource(schema, name)
{
    // Names that a member must not have: words of the language, and what every message has.
    private static readonly string[] Reserved =
    [
        "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise",
        "return", "try", "while", "with", "yield", "pack", "unpack", "pack_case", "_read", "_write", "_write_value", "_write_members",
        "_fixed", "_variable", "_numbered", "_cases", "_is_shared",
    ];

    protected override void AppendHead()
    {
        Module.Append("\"\"\"Messages of a BlitQueue queue. Made by `blitq schema gen --lang python`.\n\n");
        Module.Append("Each class has `unpack(bytes)` and `pack()`. A variable member is None where null was packed. ");
        Module.Append("Where a kind cannot\nbe told by the schema alone (a packer of one's own, Brotli, a time zone), ");
        Module.Append("the member is its bytes.\n\n");
        Module.Append(CultureInfo.InvariantCulture, $"{Schema.Text}\n\"\"\"\n\n{EmbeddedText.Of("packed.py")}");
    }

    protected override void AppendMessage(int number, StoredType type)
    {
        bool isTolerant = type.Form == "tolerant";
        var names = new Identifiers(Reserved);
        var members = type.Members.Select(member => (Name: names.Of(member.Name), Member: member)).ToList();
        // An object that may be repeated equals only itself.
        Module.Append(type.Form == "circular" ? "\n\n@dataclass(eq=False)\n" : "\n\n@dataclass\n");
        Module.Append(CultureInfo.InvariantCulture, $"class {ClassOf(number)}({(isTolerant ? "_Tolerant" : "_Packed")}):\n");
        foreach ((string member, StoredMember stored) in members)
        {
            Module.Append(CultureInfo.InvariantCulture, $"    {member}: {TypeOf(stored.Kind)} = {DefaultOf(stored.Kind)}\n");
        }
        if (members.Count == 0)
        {
            Module.Append("    pass\n");
        }
        string target = "\n\n" + ClassOf(number);
        if (isTolerant)
        {
            AppendTable($"{target}._numbered = {{", members.Select(one =>
                string.Create(CultureInfo.InvariantCulture, $"{one.Member.Number}: (\"{one.Name}\", {KindOf(one.Member.Kind)})")), "}");
            return;
        }
        AppendTable($"{target}._fixed = (", members.Where(static one => one.Member.Kind.FixedSize > 0).Select(Row), ")");
        AppendTable($"\n{ClassOf(number)}._variable = (", members.Where(static one => one.Member.Kind.FixedSize == 0).Select(Row), ")");
        if (type.Form == "circular")
        {
            Module.Append(CultureInfo.InvariantCulture, $"\n{ClassOf(number)}._is_shared = True");
        }
        Module.Append('\n');

        string Row((string Name, StoredMember Member) one) => $"(\"{one.Name}\", {KindOf(one.Member.Kind)})";
    }

    private void AppendTable(string begin, IEnumerable<string> rows, string end)
    {
        Module.Append(begin);
        bool isAny = false;
        foreach (string row in rows)
        {
            Module.Append(CultureInfo.InvariantCulture, $"\n    {row},");
            isAny = true;
        }
        Module.Append(isAny ? "\n" : "").Append(end);
    }

    protected override void AppendUnion(int number, StoredType type)
    {
        Module.Append(CultureInfo.InvariantCulture, $"\n\nclass {ClassOf(number)}(_Union):\n");
        Module.Append("    \"\"\"One of the classes below; `pack_case` packs one as a message of this type.\"\"\"");
        AppendTable($"\n\n    _cases = {{", type.Members.Select(member =>
            string.Create(CultureInfo.InvariantCulture, $"    {member.Number}: \"{ClassOf(member.Kind.Message)}\"")), "    }");
        Module.Append('\n');
    }

    protected override void AppendRaw(int number) => Module.Append(CultureInfo.InvariantCulture, $"""


        class {ClassOf(number)}(bytes):
            @classmethod
            def unpack(cls, data: bytes) -> Any:
                return cls(data)

            def pack(self) -> bytes:
                return bytes(self)

            @classmethod
            def _read(cls, reader: _Reader) -> Any:
                start, reader.at = reader.at, reader.end
                return cls(reader.data[start:reader.end])

            @classmethod
            def _write(cls, writer: _Writer, value: bytes) -> None:
                writer.data += value

        """);

    protected override string Null => "None";

    protected override string GridKind => "Grid";

    protected override string Made(string name, string arguments) => $"_{name}({arguments})";

    protected override string FixedKindOf(Kind kind) => kind.IsBlit ? $"_blit({SizeOf(kind)})" : "_" + kind.Name.ToUpperInvariant();

    protected override string MapKindOf(string parts, bool hasEqualKeys) => $"_Map({parts}, {(hasEqualKeys ? "True" : "False")})";

    protected override string OtherKindOf(Kind kind) => kind.Name switch
    {
        _ when kind.Message >= 0 => $"_Nested(\"{ClassOf(kind.Message)}\")",
        "string" or "uri" or "culture" => "_STRING",
        "bits" => "_BITS",
        "version" => "_VERSION",
        "bigint" => kind.IsNullable ? "_OPTIONAL_INTEGER" : "_INTEGER",
        _ => "_BYTES",
    };

    private string TypeOf(Kind kind)
    {
        if (kind.FixedSize > 0)
        {
            string value = kind.Name switch
            {
                "bool" => "bool",
                "f16" or "f32" or "f64" => "float",
                "char" or "rune" => "str",
                "decimal" => "Decimal",
                "guid" => "_uuid.UUID",
                "complex" => "complex",
                "datetime" => "DateTime",
                "datetimeoffset" => "DateTimeOffset",
                _ when kind.IsBlit => "bytes",
                _ => "int",
            };
            return kind.IsNullable ? value + " | None" : value;
        }
        return kind.Name == "bigint" && !kind.IsNullable ? "int" : ContentTypeOf(kind) + " | None";
    }

    private string ContentTypeOf(Kind kind) => kind.Form switch
    {
        _ when kind.Message >= 0 => Schema.Types[kind.Message].Form == "union" ? "Any" : ClassOf(kind.Message),
        "string" or "uri" or "culture" => "str",
        "list" => $"list[{TypeOf(kind.Parts[0])}]",
        "map" when HasEqualKeys(kind) => $"dict[{KeyTypeOf(kind)}, {TypeOf(kind.Parts[1])}]",
        "map" => $"list[tuple[{KeyTypeOf(kind)}, {TypeOf(kind.Parts[1])}]]",
        "tuple" => $"tuple[{string.Join(", ", kind.Parts.Select(TypeOf))}]",
        "grid2" or "grid3" or "grid4" => "Grid",
        "bits" => "list[bool]",
        "version" => "tuple[int, int, int, int]",
        "bigint" => "int",
        _ => "bytes",
    };

    private string KeyTypeOf(Kind map) => map.Parts[0].FixedSize > 0 ? TypeOf(map.Parts[0]) : ContentTypeOf(map.Parts[0]);

    protected override string ZeroOf(Kind kind) => kind.Name switch
    {
        "bool" => "False",
        "f16" or "f32" or "f64" => "0.0",
        "char" or "rune" => "\"\\0\"",
        "decimal" => "Decimal(0)",
        "guid" => "_uuid.UUID(int=0)",
        "complex" => "0j",
        "datetime" => "DateTime()",
        "datetimeoffset" => "DateTimeOffset()",
        _ when kind.IsBlit => $"bytes({SizeOf(kind)})",
        _ => "0",
    };

    // Equal keys are equal in Python as well, and each can be looked up.
    protected override bool HasEqualKeys(Kind map) =>
        map.Parts[0] is { Parts.Count: 0, Message: < 0, Name: not ("f16" or "f32" or "f64" or "complex" or "bits") };
}
