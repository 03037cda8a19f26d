using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>Stores the schema of a queue's message type: all members of all versions of the type that openings let in.</summary>
internal static class SchemaRegistry
{
    /// <summary>Lets a version of the message type in. Callers hold the opening lock.</summary>
    /// <returns>The queue's description, with the members that this version adds.</returns>
    /// <exception cref="SchemaMismatchException">The version and the queue's schema cannot be used together.</exception>
    public static QueueMeta Join(QueueFiles files, QueueMeta meta, MessageSchema schema)
    {
        if (schema.Fingerprint == meta.Fingerprint)
        {
            return meta;
        }
        IReadOnlyList<string> obstacles = SchemaEvolution.Obstacles(schema.Text, meta.Schema, out string merged);
        if (obstacles.Count > 0)
        {
            throw Mismatch(files, meta, schema, obstacles);
        }
        if (merged == meta.Schema)
        {
            return meta;
        }
        if (!SegmentSchema.Fits(merged, meta.HeaderSize))
        {
            throw Mismatch(
                files, meta, schema, ["the description no longer fits into the segments' headers: the type has more than doubled"]);
        }
        QueueMeta extended = meta with { Schema = merged, Fingerprint = SchemaText.Fingerprint(merged) };
        using SafeFileHandle file = files.CreateUnfinished(StoreFormat.MetaName);
        QueueFiles.Write(file, extended.ToBytes(), 0);
        FailPoint.Reach(ProtocolStep.StoreSchemaWritten);
        files.Finish(StoreFormat.MetaName, file);
        return extended;
    }

    /// <summary>Refuses a version of the message type that cannot be used with the queue's schema; does not let it in.</summary>
    /// <exception cref="SchemaMismatchException">The two cannot be used together.</exception>
    public static void RequireReadable(QueueFiles files, QueueMeta meta, MessageSchema schema)
    {
        if (schema.Fingerprint != meta.Fingerprint
            && SchemaEvolution.Obstacles(schema.Text, meta.Schema, out _) is { Count: > 0 } obstacles)
        {
            throw Mismatch(files, meta, schema, obstacles);
        }
    }

    /// <summary>
    /// The queue's description as it is now: meanwhile another opening may have let in a newer version of the message type.
    /// </summary>
    public static QueueMeta Latest(QueueFiles files, QueueMeta meta)
    {
        try
        {
            var latest = QueueMeta.Read(files);
            return latest.Id == meta.Id ? latest : meta;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or QueueException)
        {
            // The next opening reports what is wrong; open handles go on.
            return meta;
        }
    }

    private static SchemaMismatchException Mismatch(
        QueueFiles files, QueueMeta meta, MessageSchema schema, IReadOnlyList<string> obstacles) => new(
        $"{files.Directory} holds another message type than it was opened with.\n{string.Join("\n", schema.Difference(meta.Schema))}\n"
        + $"What stands in the way:\n{string.Join("\n", obstacles)}\n"
        + "Open it with the type it was made with, or one to which members were only appended, or give the new type a new directory.")
        { Path = files.Directory };
}
