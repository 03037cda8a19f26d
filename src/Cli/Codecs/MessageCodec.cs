namespace BlitQueue.Cli.Codecs;

/// <summary>Translates the messages of one schema. Used by one thread at a time.</summary>
internal sealed class MessageCodec
{
    private readonly StoredSchema _schema;
    private readonly Codec?[] _bodies;
    private readonly int _root;

    /// <param name="schema">The schema.</param>
    /// <param name="root">The number of the message in it.</param>
    public MessageCodec(StoredSchema schema, int root = 0)
    {
        (_schema, _root) = (schema, root);
        _bodies = new Codec?[schema.Types.Count];
    }

    /// <summary>Writes the message at the beginning of the bytes as JSON; bytes behind it are ignored.</summary>
    /// <exception cref="PackedFaultException">The bytes are no such message, or null.</exception>
    public void Decode(ReadOnlySpan<byte> packed, JsonOutput json)
    {
        var input = new PackedInput(packed);
        int before = json.Length;
        BodyOf(_root).Decode(ref input, json);
        if (json.Bytes[before..].EndsWith("null"u8) && input.At == sizeof(uint) && json.Length - before <= 5)
        {
            throw new PackedFaultException(0, "null is no message of a queue");
        }
    }

    /// <summary>Packs a message that is here as JSON. The output is emptied first.</summary>
    /// <exception cref="JsonFaultException">It is no such message.</exception>
    public void Encode(ref JsonInput json, PackedOutput output)
    {
        output.Clear();
        if (json.IsNull)
        {
            throw json.Fault("null is no message of a queue");
        }
        BodyOf(_root).Encode(ref json, output);
    }

    private Codec BodyOf(int number) => _bodies[number] ??= MakeBody(number, _schema.Types[number]);

    private Codec MakeBody(int number, StoredType type) => type.Form switch
    {
        "raw" => new RawCodec(),
        "union" => new UnionCodec(type, Variable),
        "tolerant" => new TolerantCodec(type, Field),
        _ => new SequentialCodec(number, type, Element),
    };

    private Codec Field(Kind kind) => kind.FixedSize == 0 ? Variable(kind) : new FieldCodec(Value(kind), kind.IsNullable);

    private Codec Element(Kind kind) => kind.FixedSize == 0 ? Variable(kind)
        : kind.IsNullable ? new NullableCodec(Value(kind))
        : Value(kind);

    private Codec Variable(Kind kind) => kind switch
    {
        { Message: >= 0 and var number } => new NestedCodec(() => BodyOf(number)),
        { Name: "list", Parts: [{ IsByte: true }] } => new OpaqueCodec(),
        { Name: "list", Parts: [var element] } => new ListCodec(Element(element)),
        { Name: "map", Parts: [var key, var value] } => new MapCodec(Element(key), Element(value), key.IsText),
        { Name: "tuple", Parts.Count: > 0 } => new TupleCodec([.. kind.Parts.Select(Element)]),
        { Name: ['g', 'r', 'i', 'd', >= '2' and <= '4' and var rank], Parts: [var element] }
            => new GridCodec(rank - '0', Element(element), element.IsByte),
        { Name: "brotli", Parts: [{ Name: "string" }] } => new BrotliCodec(isText: true),
        { Name: "brotli", Parts: [var content] } when content.ToString() == "list<u8>" => new BrotliCodec(isText: false),
        { Name: "bigint" } => new BigIntegerCodec(kind.IsNullable),
        { Name: "string" or "uri" or "culture" } => new StringCodec(),
        { Name: "bits" } => new BitsCodec(),
        { Name: "version" } => new VersionCodec(),
        { Name: "timezone" } => new ZoneCodec(),
        _ => new OpaqueCodec(),
    };

    private static ValueCodec Value(Kind kind) => kind.Name switch
    {
        "bool" => Numbers.Bool,
        "i8" => Numbers.Integer<sbyte>(),
        "u8" => Numbers.Integer<byte>(),
        "i16" => Numbers.Integer<short>(),
        "u16" => Numbers.Integer<ushort>(),
        "i32" => Numbers.Integer<int>(),
        "u32" => Numbers.Integer<uint>(),
        "i64" => Numbers.Integer<long>(),
        "u64" => Numbers.Integer<ulong>(),
        "i128" => Numbers.Integer<Int128>(),
        "u128" => Numbers.Integer<UInt128>(),
        "f16" => Numbers.Half,
        "f32" => Numbers.Single,
        "f64" => Numbers.Double,
        "complex" => Numbers.Complex,
        "decimal" => Numbers.Decimal,
        "char" => Texts.Char,
        "rune" => Texts.Rune,
        "guid" => Texts.Guid,
        "datetime" => Times.DateTime,
        "datetimeoffset" => Times.DateTimeOffset,
        "timespan" => Times.TimeSpan,
        "date" => Times.Date,
        "time" => Times.Time,
        _ => Texts.Memory(kind.ValueSize),
    };
}
