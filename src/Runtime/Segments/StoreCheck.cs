using System.Numerics;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>Compares what a queue is with what it was opened as.</summary>
internal static class StoreCheck
{
    /// <exception cref="ArgumentException">Other settings than those the queue was made with.</exception>
    /// <exception cref="SchemaMismatchException">Another message type.</exception>
    public static void Verify(QueueFiles files, QueueMeta meta, StoreOptions options)
    {
        VerifySane(files, meta);
        if (options.SegmentSize is { } segmentSize && segmentSize != meta.SegmentSize)
        {
            throw new ArgumentException(
                $"{files.Directory} was made with segments of {meta.SegmentSize} bytes, and was opened with SegmentSize "
                + $"{segmentSize}. Open it with {meta.SegmentSize}, or with null to take what is there.");
        }
        if (options.Checksum is { } checksum && checksum != meta.Checksum)
        {
            throw new ArgumentException(
                $"{files.Directory} was made with checksums {OnOff(meta.Checksum)}, and was opened with Checksum "
                + $"{OnOff(checksum)}. Open it as it is, or with null to take what is there.");
        }
        if (options.Schema.Fingerprint != meta.Fingerprint)
        {
            throw new SchemaMismatchException(
                $"{files.Directory} holds another message type than it was opened with.\n{string.Join("\n", options.Schema.Difference(meta.Schema))}\n"
                + "Open it with the type it was made with, or give the new type a new directory.");
        }
    }

    /// <exception cref="QueueCorruptException">The control file is not this queue's.</exception>
    public static void VerifyControl(QueueFiles files, QueueMeta meta, ControlFile control)
    {
        if (!control.Belongs(meta.Id))
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.ControlName), 0,
                "it is not this queue's control file. Delete it when no process has the queue open: it is rebuilt from the segments.");
        }
    }

    private static void VerifySane(QueueFiles files, QueueMeta meta)
    {
        if (!BitOperations.IsPow2(meta.SegmentSize) || meta.SegmentSize is < SegmentFormat.MinimumSize or > SegmentFormat.MaximumSize)
        {
            throw new QueueCorruptException(
                files.PathOf(StoreFormat.MetaName), 0, $"a segment size of {meta.SegmentSize} bytes cannot be. Restore it from a backup.");
        }
    }

    private static string OnOff(bool value) => value ? "on" : "off";
}
