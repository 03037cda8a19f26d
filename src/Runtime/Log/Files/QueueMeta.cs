using System.Security.Cryptography;

namespace BlitQueue.Log;

/// <summary>
/// The description of a queue, written when it is made: <c>queue.meta</c>, a text with one <c>name value</c> per line, whose last line is
/// the checksum of the lines before. Later only the schema changes, by members that newer versions of the message type add.
/// </summary>
internal sealed record QueueMeta
{
    private const string Title = "BlitQueue";

    public required Guid Id { get; init; }

    /// <summary>Bytes, a power of two.</summary>
    public required long SegmentSize { get; init; }

    /// <summary>Bytes of a segment before its first record, whole pages.</summary>
    public required int HeaderSize { get; init; }

    /// <summary>The longest payload of one record, which fills a whole segment, in bytes.</summary>
    public int LongestRecord => RecordFormat.Room(SegmentSize - HeaderSize);

    /// <summary>The position of the first record in the segment with this index.</summary>
    public long FirstOf(long index) => (index * SegmentSize) + HeaderSize;

    /// <summary>The position of the first record in the segment after the one that a position is in.</summary>
    public long FirstBehind(long position) => FirstOf((position / SegmentSize) + 1);

    /// <summary>Whether records carry a check of their payload.</summary>
    public required bool Checksum { get; init; }

    /// <summary>The check in the headers of the queue's records.</summary>
    public RecordCheck RecordCheck => new(Salt, Checksum);

    /// <summary>The message type's fingerprint.</summary>
    public required ulong Fingerprint { get; init; }

    /// <summary>The message type's schema, in one line.</summary>
    public required string Schema { get; init; }

    /// <summary>The value that the checks of this queue's records start from.</summary>
    public ulong Salt
    {
        get
        {
            Span<byte> bytes = stackalloc byte[16];
            Id.TryWriteBytes(bytes);
            return BinaryPrimitives.ReadUInt64LittleEndian(bytes) ^ BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]);
        }
    }

    public byte[] ToBytes()
    {
        string body = string.Create(CultureInfo.InvariantCulture, $"""
            {Title} {StoreFormat.Version}
            id {Id:N}
            segment-size {SegmentSize}
            segment-header {HeaderSize}
            checksum {(Checksum ? "on" : "off")}
            fingerprint {Fingerprint:x16}
            schema {Schema}

            """).ReplaceLineEndings("\n");
        return Encoding.UTF8.GetBytes($"{body}sha256 {Digest(body)}\n");
    }

    /// <summary>The text with a last line that is its checksum, whatever the text is.</summary>
    internal static byte[] Sealed(string text)
    {
        string body = text.LastIndexOf("sha256 ", StringComparison.Ordinal) is >= 0 and var end ? text[..end] : text;
        return Encoding.UTF8.GetBytes($"{body}sha256 {Digest(body)}\n");
    }

    /// <exception cref="QueueException">The file is another program's, or of a newer format version.</exception>
    /// <exception cref="QueueCorruptException">The file is BlitQueue's, but damaged.</exception>
    public static QueueMeta Read(QueueFiles files) => Read(files, files.ReadText(StoreFormat.MetaName));

    /// <summary>The same for a text that was read already.</summary>
    public static QueueMeta Read(QueueFiles files, string text)
    {
        string path = files.PathOf(StoreFormat.MetaName);
        string[] lines = text.Split('\n');
        string[] title = lines[0].Split(' ');
        if (title.Length != 2 || title[0] != Title || !int.TryParse(title[1], CultureInfo.InvariantCulture, out int version))
        {
            if (NamedFiles.In(files.Directory, StoreFormat.SegmentPrefix).Any())
            {
                throw new QueueCorruptException(
                    path, 0, $"it does not start with '{Title} <version>', though segments stand beside it. {StoreFormat.Remedy}");
            }
            throw new QueueException(
                $"{path} is not a BlitQueue file: it does not start with '{Title} <version>'. Choose another directory for the queue.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
        if (version > StoreFormat.Version)
        {
            throw new QueueException(
                $"{path} has format version {version}; this BlitQueue reads up to version {StoreFormat.Version}. "
                + "Update BlitQueue in this program.")
            { Reason = QueueError.NewerFormat, Path = path };
        }
        return Parse(path, text);
    }

    private static QueueMeta Parse(string path, string text)
    {
        int bodyLength = text.LastIndexOf("sha256 ", StringComparison.Ordinal);
        string body = bodyLength < 0 ? text : text[..bodyLength];
        if (bodyLength < 0 || text[(bodyLength + 7)..].TrimEnd('\n') != Digest(body))
        {
            throw new QueueCorruptException(path, Math.Max(bodyLength, 0),
                $"its checksum line is missing or does not fit what stands before it. {StoreFormat.Remedy}");
        }
        return TryParse(body) ?? throw new QueueCorruptException(path, 0,
            $"its checksum is right, and its lines are not those of a queue. {StoreFormat.Remedy}");
    }

    private static QueueMeta? TryParse(string body)
    {
        var fields = new Dictionary<string, string>();
        foreach (string[] line in body.Split('\n').Select(static line => line.Split(' ', 2)).Where(static parts => parts.Length == 2))
        {
            fields.TryAdd(line[0], line[1]);
        }
        return Guid.TryParseExact(fields.GetValueOrDefault("id"), "N", out Guid id)
            && long.TryParse(fields.GetValueOrDefault("segment-size"), CultureInfo.InvariantCulture, out long segmentSize)
            && int.TryParse(fields.GetValueOrDefault("segment-header"), CultureInfo.InvariantCulture, out int headerSize)
            && ulong.TryParse(
                fields.GetValueOrDefault("fingerprint"), NumberStyles.HexNumber, CultureInfo.InvariantCulture, out ulong fingerprint)
            && fields.TryGetValue("schema", out string? schema) && SchemaText.Parse(schema) is not null
            ? new QueueMeta
            {
                Id = id, SegmentSize = segmentSize, HeaderSize = headerSize, Checksum = fields.GetValueOrDefault("checksum") == "on",
                Fingerprint = fingerprint, Schema = schema,
            }
            : null;
    }

    private static string Digest(string body) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(body)));
}
