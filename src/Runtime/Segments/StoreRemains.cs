using System.Buffers.Binary;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Segments;

/// <summary>Tells what a killed maker left, which goes, from a queue that has lost its <c>queue.meta</c>, which stays.</summary>
internal static class StoreRemains
{
    private const int BufferSize = 1 << 16;

    /// <exception cref="QueueCorruptException">Segments with messages stand in a directory that nothing says is a queue.</exception>
    public static void RefuseMessages(string directory, string meta)
    {
        if (HoldMessages(directory))
        {
            throw new QueueCorruptException(Path.Combine(directory, meta), 0,
                $"it is missing, and there are segments with messages. {StoreFormat.Remedy}");
        }
    }

    /// <summary>Whether a segment here was ever appended to: a maker makes the first one, empty, and a second one is made by appends.</summary>
    public static bool HoldMessages(string directory)
    {
        foreach (string path in Directory.EnumerateFiles(directory, StoreFormat.SegmentPrefix + "*"))
        {
            if (StoreFormat.TryParseSegment(Path.GetFileName(path), out long start) && (start != 0 || HasRecords(path)))
            {
                return true;
            }
        }
        return false;
    }

    private static bool HasRecords(string path)
    {
        try
        {
            using SafeFileHandle file = Recommended.Platform.OpenFile(path, FileMode.Open, FileAccess.Read, default);
            return HasBytesBehindHeader(file);
        }
        catch (Exception exception) when (exception is FileNotFoundException or IrregularFileException)
        {
            return false;
        }
    }

    private static bool HasBytesBehindHeader(SafeFileHandle file)
    {
        byte[] buffer = new byte[BufferSize];
        if (RandomAccess.Read(file, buffer, 0) < SegmentFormat.PageSize)
        {
            return false;
        }
        // Whole pages: the schema's text may take more than one.
        long schema = SegmentFormat.SchemaOffset + 16L + BinaryPrimitives.ReadInt32LittleEndian(buffer.AsSpan(SegmentFormat.SchemaOffset + 8));
        long pages = (schema + SegmentFormat.PageSize - 1) / SegmentFormat.PageSize;
        long offset = Math.Clamp(pages * SegmentFormat.PageSize, SegmentFormat.PageSize, SegmentFormat.MaximumSize);
        for (int read; (read = RandomAccess.Read(file, buffer, offset)) > 0; offset += read)
        {
            if (buffer.AsSpan(0, read).ContainsAnyExcept((byte)0))
            {
                return true;
            }
        }
        return false;
    }
}
