namespace BlitQueue.Cli.Sources;

/// <summary>
/// A C99 header for messages of fixed length: a struct, and functions that read and write its packed bytes without memory of their own.
/// </summary>
internal sealed class CSource
{
    private static readonly string[] Reserved =
    [
        "auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern", "float", "for", "goto",
        "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed", "sizeof", "static", "struct", "switch",
        "typedef", "union", "unsigned", "void", "volatile", "while", "bool", "true", "false", "NULL", "asm", "class", "new", "delete",
        "this", "template", "typename", "namespace", "operator", "private", "protected", "public", "virtual", "try", "catch", "throw",
    ];

    private readonly StoredSchema _schema;
    private readonly string _name;
    private readonly List<(string Name, Kind Kind, int Offset)> _members = [];
    private readonly StringBuilder _text = new();

    /// <param name="schema">The messages.</param>
    /// <param name="name">The struct's.</param>
    /// <exception cref="JsonFaultException">The message has a member without a fixed length.</exception>
    public CSource(StoredSchema schema, string name)
    {
        (_schema, _name) = (schema, name);
        StoredType type = schema.Types[0];
        if (type.Form.Length > 0 || type.Members.FirstOrDefault(static member => member.Kind.FixedSize == 0) is not null)
        {
            StoredMember? variable = type.Members.FirstOrDefault(static member => member.Kind.FixedSize == 0);
            string what = type.Form.Length > 0 ? $"the message is {type.Form}" : $"{variable!.Name} is {variable.Kind}";
            throw new JsonFaultException($"a C header is for messages of fixed length: {what}. Use --lang python, or unpack in .NET.");
        }
        var names = new Identifiers(Reserved);
        int offset = 0;
        foreach (StoredMember member in type.Members)
        {
            _members.Add((names.Of(member.Name), member.Kind, offset));
            offset += member.Kind.FixedSize;
        }
        Size = 4 + offset;
    }

    /// <summary>Bytes of a packed message.</summary>
    public int Size { get; }

    /// <summary>The header's text.</summary>
    public override string ToString()
    {
        string guard = $"BLITQ_{_name.ToUpperInvariant()}_H";
        Add($"/* Messages of a BlitQueue queue. Made by `blitq schema gen --lang c`.\n   {_schema.Text} */\n");
        Add($"#ifndef {guard}\n#define {guard}\n\n");
        _text.Append(EmbeddedText.Of("packed.h"));
        Add($"\ntypedef struct {_name} {{\n");
        foreach ((string name, Kind kind, _) in _members)
        {
            Add(kind.IsNullable ? $"    bool has_{name};\n" : "");
            Add($"    {Declaration(kind, name)};\n");
        }
        Add(_members.Count == 0 ? "    char nothing;\n" : "");
        Add($"}} {_name};\n\n/* Bytes of a packed message. */\nenum {{ {_name}_size = {Size} }};\n\n");
        AppendRead();
        AppendWrite();
        Add($"#endif\n");
        return _text.ToString();
    }

    private void AppendRead()
    {
        Add($$"""
            /* Reads a packed message. Members that its writer did not know are zero; what only its writer knew is skipped.
               Returns 0, or -1 where the bytes are no such message, or null was packed. */
            static inline int {{_name}}_read({{_name}} *message, const unsigned char *bytes, size_t length) {
                size_t size;
                memset(message, 0, sizeof *message);
                if (!blitq_begin(bytes, length, &size)) return -1;

            """);
        foreach ((string name, Kind kind, int offset) in _members)
        {
            int end = offset + kind.FixedSize, at = 4 + offset;
            Add($"    if (size == {offset}) return 0;\n    if (size < {end}) return -1;\n");
            if (kind.IsNullable)
            {
                Add($"    if (bytes[{at}] > 1) return -1;\n    message->has_{name} = bytes[{at}] == 1;\n");
                Add($"    if (message->has_{name}) {{\n");
                AppendCopy(name, kind, at + 1, isRead: true, "        ");
                Add($"    }}\n");
            }
            else
            {
                AppendCopy(name, kind, at, isRead: true, "    ");
            }
        }
        Add($"    return 0;\n}}\n\n");
    }

    private void AppendWrite()
    {
        Add($$"""
            /* Writes {{_name}}_size bytes. Returns 0, or -1 where a member has a value that its kind does not have. */
            static inline int {{_name}}_write(const {{_name}} *message, unsigned char *bytes) {
                memset(bytes, 0, {{_name}}_size);
                bytes[0] = {{(Size - 4) & 0xFF}};
                bytes[1] = {{(Size - 4) >> 8}};

            """);
        foreach ((string name, Kind kind, int offset) in _members)
        {
            int at = 4 + offset;
            if (kind.IsNullable)
            {
                Add($"    if (message->has_{name}) {{\n        bytes[{at}] = 1;\n");
                AppendCopy(name, kind, at + 1, isRead: false, "        ");
                Add($"    }}\n");
            }
            else
            {
                AppendCopy(name, kind, at, isRead: false, "    ");
            }
        }
        Add(_members.Count == 0 ? "    (void)message;\n" : "");
        Add($"    return 0;\n}}\n\n");
    }

    private void AppendCopy(string name, Kind kind, int at, bool isRead, string indent)
    {
        foreach ((string part, int size, int offset) in PartsOf(kind))
        {
            string field = $"message->{name}{part}", bytes = $"bytes + {at + offset}";
            Add(isRead
                ? $"{indent}memcpy(&{field}, {bytes}, {size});\n"
                : $"{indent}memcpy({bytes}, &{field}, {size});\n");
        }
        string? check = kind.Name switch
        {
            "bool" => $"bytes[{at}] > 1",
            "rune" or "decimal" or "datetime" or "datetimeoffset" or "date" or "time" => $"!blitq_is_{kind.Name}(bytes + {at})",
            _ => null,
        };
        Add(check is null ? "" : $"{indent}if ({check}) return -1;\n");
    }

    // The parts of a member that are copied, each without padding.
    private static IEnumerable<(string Part, int Size, int Offset)> PartsOf(Kind kind) => kind.Name switch
    {
        "datetimeoffset" => [(".utc_ticks", 8, 0), (".offset_minutes", 2, 8)],
        _ => [("", kind.ValueSize, 0)],
    };

    private static string Declaration(Kind kind, string name) => kind.Name switch
    {
        "bool" => $"uint8_t {name} /* 0 or 1 */",
        "i8" or "i16" or "i32" or "i64" => $"int{kind.Name[1..]}_t {name}",
        "u8" or "u16" or "u32" or "u64" => $"uint{kind.Name[1..]}_t {name}",
        "char" => $"uint16_t {name} /* a unit of UTF-16 */",
        "rune" => $"uint32_t {name} /* a character's number in Unicode */",
        "f16" => $"uint16_t {name} /* IEEE 754 binary16 */",
        "f32" => $"float {name}",
        "f64" => $"double {name}",
        "i128" or "u128" => $"blitq_{kind.Name} {name}",
        "decimal" or "complex" or "datetimeoffset" => $"blitq_{kind.Name} {name}",
        "guid" => $"uint8_t {name}[16]",
        "datetime" => $"uint64_t {name} /* ticks of 100 ns since the year 1; in the high 2 bits 1 = UTC, 2 = local */",
        "timespan" or "time" => $"int64_t {name} /* ticks of 100 ns */",
        "date" => $"uint32_t {name} /* days since 1 January of the year 1 */",
        _ => string.Create(CultureInfo.InvariantCulture, $"uint8_t {name}[{kind.ValueSize}]"),
    };

    // All numbers in the text are whole numbers, which are the same in every culture.
    private void Add(string text) => _text.Append(text);
}
