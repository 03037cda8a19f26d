using System.Buffers.Binary;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace BlitQueue.Segments;

/// <summary>
/// What a queue is, written once when it is made and never changed: <c>queue.meta</c>, a text of one <c>name value</c> per line, the
/// last line the checksum of those before.
/// </summary>
internal sealed record QueueMeta
{
    private const string Title = "BlitQueue";

    public required Guid Id { get; init; }

    /// <summary>Bytes, a power of two.</summary>
    public required long SegmentSize { get; init; }

    /// <summary>The longest payload that one record can hold: a whole segment's, bytes.</summary>
    public int LongestRecord => RecordFormat.Room(SegmentSize - SegmentFormat.HeaderSize);

    /// <summary>Whether records carry a check of their payload.</summary>
    public required bool Checksum { get; init; }

    /// <summary>The message type's fingerprint.</summary>
    public required ulong Fingerprint { get; init; }

    /// <summary>The message type's schema, one line.</summary>
    public required string Schema { get; init; }

    /// <summary>What the checks of this queue's records start from.</summary>
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
            checksum {(Checksum ? "on" : "off")}
            fingerprint {Fingerprint:x16}
            schema {Schema}

            """).ReplaceLineEndings("\n");
        return Encoding.UTF8.GetBytes($"{body}sha256 {Digest(body)}\n");
    }

    /// <exception cref="QueueException">Another program's file, or a newer format version.</exception>
    /// <exception cref="QueueCorruptException">Ours, but damaged.</exception>
    public static QueueMeta Read(string path)
    {
        string text = File.ReadAllText(path);
        string[] lines = text.Split('\n');
        string[] title = lines[0].Split(' ');
        if (title.Length != 2 || title[0] != Title || !int.TryParse(title[1], CultureInfo.InvariantCulture, out int version))
        {
            throw new QueueException(
                $"{path} is not a BlitQueue file: it does not start with '{Title} <version>'. Choose another directory for the queue.");
        }
        if (version > StoreFormat.Version)
        {
            throw new QueueException(
                $"{path} has format version {version}; this BlitQueue reads up to version {StoreFormat.Version}. "
                + "Update BlitQueue in this program.");
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
                "its checksum line is missing or does not fit what stands before it. Restore the file from a backup of this queue.");
        }
        var fields = body.Split('\n').Select(static line => line.Split(' ', 2)).Where(static parts => parts.Length == 2)
            .ToDictionary(static parts => parts[0], static parts => parts[1]);
        return new QueueMeta
        {
            Id = Guid.ParseExact(fields["id"], "N"),
            SegmentSize = long.Parse(fields["segment-size"], CultureInfo.InvariantCulture),
            Checksum = fields["checksum"] == "on",
            Fingerprint = ulong.Parse(fields["fingerprint"], NumberStyles.HexNumber, CultureInfo.InvariantCulture),
            Schema = fields["schema"],
        };
    }

    private static string Digest(string body) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(body)));
}
