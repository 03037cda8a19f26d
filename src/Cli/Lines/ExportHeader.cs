namespace BlitQueue.Cli.Lines;

/// <summary>The first line of an export: what the queue is.</summary>
/// <param name="Schema">The text of its schema.</param>
/// <param name="SegmentSize">Bytes.</param>
/// <param name="Checksums">Whether checks cover messages.</param>
internal sealed record ExportHeader(string Schema, long SegmentSize, bool Checksums)
{
    private const int Version = 1;

    /// <summary>Writes the line.</summary>
    public static void Write(QueueLook look, JsonOutput json)
    {
        QueueDetails details = look.GetDetails();
        json.BeginObject();
        json.Member("blitq", Version);
        json.Member("queue", look.Path);
        json.Member("schema", look.Schema);
        json.Member("segment_size", details.SegmentSize);
        json.Member("checksums", details.Checksums);
        json.EndObject();
    }

    /// <summary>Reads the line; null if it is a message's.</summary>
    /// <exception cref="JsonFaultException">It is that of a later version.</exception>
    public static ExportHeader? TryRead(ReadOnlySpan<byte> line)
    {
        var json = new JsonInput(line);
        json.Require(JsonTokenType.StartObject, "an object");
        json.Next();
        if (json.Token != JsonTokenType.PropertyName || json.Text() != "blitq")
        {
            return null;
        }
        json.Next();
        if (json.Integer<int>() != Version)
        {
            throw json.Fault("the export is of a later version of blitq");
        }
        var header = new ExportHeader("", 0, Checksums: false);
        while (json.TryNextMember(out string name))
        {
            header = name switch
            {
                "schema" => header with { Schema = json.Text() },
                "segment_size" => header with { SegmentSize = json.Integer<long>() },
                "checksums" => header with { Checksums = json.Bool() },
                _ => Skip(header, ref json),
            };
        }
        return header;
    }

    private static ExportHeader Skip(ExportHeader header, ref JsonInput json)
    {
        json.Skip();
        return header;
    }
}
