using BlitQueue.Memory;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// What a segment's file says about its queue. Each value stands for itself: any of them may be damaged, or the file cut short.
/// </summary>
/// <param name="Name">The file's name.</param>
/// <param name="Start">The position by its name.</param>
/// <param name="Base">The position by its header: another one where the file is a copy of another segment.</param>
/// <param name="Id">The queue's id.</param>
/// <param name="Sizes">The sizes that a segment may have, in bytes.</param>
/// <param name="Schema">The message type's schema; null where it does not agree with its fingerprint, so is damaged.</param>
internal sealed record SalvagedHeader(string Name, long Start, long Base, Guid Id, IReadOnlyList<long> Sizes, string? Schema)
{
    private const int BufferSize = 1 << 16;

    /// <returns>null where it is no file, or is too short for its first words.</returns>
    public static SalvagedHeader? TryRead(QueueFiles files, string name)
    {
        Span<byte> words = stackalloc byte[SegmentFormat.SchemaOffset + 16];
        if (!StoreFormat.TryParseSegment(name, out long start) || start < 0)
        {
            return null;
        }
        try
        {
            using SafeFileHandle file = files.OpenExisting(name);
            long length = RandomAccess.GetLength(file);
            return RandomAccess.Read(file, words, 0) < words.Length ? null : new SalvagedHeader(
                name, start, BinaryPrimitives.ReadInt64LittleEndian(words[SegmentFormat.BaseOffset..]),
                new Guid(words.Slice(SegmentFormat.IdOffset, 16)),
                [.. new[] { BinaryPrimitives.ReadInt64LittleEndian(words[SegmentFormat.SizeOffset..]), length }.Where(IsSize)],
                ReadSchema(file, BinaryPrimitives.ReadInt32LittleEndian(words[(SegmentFormat.SchemaOffset + 8)..]), length));
        }
        catch (Exception exception) when (exception is QueueCorruptException or FileNotFoundException)
        {
            return null;
        }
    }

    /// <summary>Maps the file as a segment of this size, with zeros where the file is cut short.</summary>
    public MappedRegion Map(QueueFiles files, long size)
    {
        using SafeFileHandle file = files.OpenExisting(Name);
        // A look at a hole of the first segment would take a page of the memory that the queue is in.
        if (RandomAccess.GetLength(file) == size && !(files.IsInMemory && StoreFormat.IsReservedInSteps(Name, size)))
        {
            return files.Map(Name, size);
        }
        var copy = new MappedRegion(size);
        RandomAccess.Read(file, copy.Bytes(0, (int)Math.Min(size, RandomAccess.GetLength(file))), 0);
        return copy;
    }

    /// <summary>
    /// Whether anybody ever appended to a segment here: the maker of a queue makes the first segment, empty, and only appends make a
    /// second. This tells what a killed maker or deletion left, which may be deleted, from a queue that has lost its <c>queue.meta</c>,
    /// which may not.
    /// </summary>
    public static bool HasMessages(string directory)
    {
        var files = new QueueFiles(directory, default, FileAccess.Read);
        return !QueueDeletion.IsMarked(directory)
            && NamedFiles.In(directory, StoreFormat.SegmentPrefix).Select(static path => Path.GetFileName(path))
            .Any(
                name => StoreFormat.TryParseSegment(name, out long start)
                    && (start != 0 || TryRead(files, name)?.HasRecords(files) == true));
    }

    private bool HasRecords(QueueFiles files)
    {
        using SafeFileHandle file = files.OpenExisting(Name);
        byte[] buffer = new byte[BufferSize];
        long offset = Schema is null ? SegmentFormat.PageSize : SegmentSchema.HeaderSizeFor(Schema);
        for (int read; (read = RandomAccess.Read(file, buffer, offset)) > 0; offset += read)
        {
            if (buffer.AsSpan(0, read).ContainsAnyExcept((byte)0))
            {
                return true;
            }
        }
        return false;
    }

    private static bool IsSize(long size)
        => BitOperations.IsPow2(size) && size is >= SegmentFormat.MinimumSize and <= SegmentFormat.MaximumSize;

    private static string? ReadSchema(SafeFileHandle file, int stream, long length)
    {
        if (stream <= 0 || stream > Math.Min(length, SegmentFormat.MaximumSize) - SegmentFormat.SchemaOffset - 16)
        {
            return null;
        }
        byte[] bytes = new byte[stream + 16];
        RandomAccess.Read(file, bytes, SegmentFormat.SchemaOffset);
        return SegmentSchema.Read(bytes);
    }
}
