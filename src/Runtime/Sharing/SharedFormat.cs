using BlitQueue.Log;

namespace BlitQueue.Sharing;

/// <summary>
/// The file of a shared object. Its participants' table, its lock word and its words to sleep on are where a queue's control file has them
/// (<see cref="ControlFormat"/>), so that the same code uses both; all else is its own.
/// <code>
/// offset  size
///      0     8  magic "BLITSHRD"
///      8     4  version of this format
///     12     4  kind: 1 array, 2 value, 3 buffer, 4 mutex, 5 reader/writer lock, 6 channel of calls
///     16     8  bytes of an element; of a buffer 1
///     24     8  how many elements; of a value 1, of a lock 0
///     32     8  fingerprint of the element's layout: the first 8 bytes of the SHA-256 of its text
///     40     4  bytes of the text that follow, which is cut off where it is too long
///     44   980  the text: type name, size, and each field with its type and offset, UTF-8
///   1024     8  lock: who has the mutex, or the right to write (0 = none), as the control file's lock owner
///   1048     8  abandoned: 1 + the process that died with that lock, until the next holder releases it; 0 = none
///   1200     8  participants' end, as there
///   1280     8  sleepers on the lock: mark and ticket, as there for data
///   1408     8  sleepers on the value's version, as there for room
///   2944     8  version of a value: how often it was written; its lowest bit says which of the two copies is current
///   4096        participants, 64 bytes each, as there; and
///                24  8  how many times this participant reads under the reader/writer lock at present
///  69632        elements, bytes, or the two copies of a value, each from a multiple of 128 on
/// </code>
/// </summary>
internal static class SharedFormat
{
    public const long Magic = 0x4452_4853_5449_4C42;
    public const int Version = 1;
    public const int VersionOffset = 8, KindOffset = 12, ElementSizeOffset = 16, LengthOffset = 24, FingerprintOffset = 32,
        TextLengthOffset = 40, TextOffset = 44, HeaderSize = 1024;
    public const int DataOffset = ControlFormat.Size;

    /// <summary>How long the file is.</summary>
    public static long SizeOf(in SharedShape shape) => DataOffset + shape.DataBytes;

    /// <summary>The header of a new file.</summary>
    public static byte[] Header(in SharedShape shape)
    {
        byte[] header = new byte[HeaderSize];
        BinaryPrimitives.WriteInt64LittleEndian(header, Magic);
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(VersionOffset), Version);
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(KindOffset), (int)shape.Kind);
        BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(ElementSizeOffset), shape.ElementSize);
        BinaryPrimitives.WriteInt64LittleEndian(header.AsSpan(LengthOffset), shape.Length ?? 0);
        BinaryPrimitives.WriteUInt64LittleEndian(header.AsSpan(FingerprintOffset), SchemaText.Fingerprint(shape.Layout));
        byte[] text = Encoding.UTF8.GetBytes(shape.Layout);
        int length = Math.Min(text.Length, HeaderSize - TextOffset);
        BinaryPrimitives.WriteInt32LittleEndian(header.AsSpan(TextLengthOffset), length);
        text.AsSpan(0, length).CopyTo(header.AsSpan(TextOffset));
        return header;
    }

    /// <summary>Whether a file begins as a shared object's does.</summary>
    public static bool IsOurs(ReadOnlySpan<byte> header) =>
        header.Length == HeaderSize && BinaryPrimitives.ReadInt64LittleEndian(header) == Magic;

    /// <summary>What a file contains, compared with what is asked for.</summary>
    /// <param name="path">The file.</param>
    /// <param name="header">Its first bytes; fewer than <see cref="HeaderSize"/> if it has no more.</param>
    /// <param name="length">How long it is.</param>
    /// <param name="asked">What a process that joins expects.</param>
    /// <returns>What is there, with its length.</returns>
    /// <exception cref="QueueException">The file is none of a shared object, or of a newer version.</exception>
    /// <exception cref="SchemaMismatchException">It is another kind of object, or has elements of another type.</exception>
    /// <exception cref="ArgumentException">It has another number of elements.</exception>
    /// <exception cref="QueueCorruptException">Its header contradicts itself or its length.</exception>
    public static SharedShape Read(string path, ReadOnlySpan<byte> header, long length, in SharedShape asked)
    {
        if (!IsOurs(header))
        {
            throw new QueueException(
                $"{path} is no shared object: its first bytes are others. Nothing was changed. Choose another name or path.")
            { Reason = QueueError.NotAQueue, Path = path };
        }
        int version = BinaryPrimitives.ReadInt32LittleEndian(header[VersionOffset..]);
        if (version != Version)
        {
            throw new QueueException(
                $"{path} has version {version} of the format, and this library knows {Version}. Let all processes use the newer library.")
            { Reason = QueueError.NewerFormat, Path = path };
        }
        SharedShape there = Shape(header);
        Require(path, there, BinaryPrimitives.ReadUInt64LittleEndian(header[FingerprintOffset..]), asked);
        if (there.ElementSize != asked.ElementSize || there.Length is not >= 0 || SizeOf(there) != length)
        {
            throw new QueueCorruptException(
                path, 0, $"the file has {length} bytes, and its header says {there.Text}, which takes {SizeOf(there)}. Delete it, after "
                + "all processes that use it have ended.");
        }
        return there;
    }

    private static SharedShape Shape(ReadOnlySpan<byte> header)
    {
        int text = Math.Clamp(BinaryPrimitives.ReadInt32LittleEndian(header[TextLengthOffset..]), 0, HeaderSize - TextOffset);
        long size = BinaryPrimitives.ReadInt64LittleEndian(header[ElementSizeOffset..]),
            length = BinaryPrimitives.ReadInt64LittleEndian(header[LengthOffset..]);
        return new SharedShape(
            (SharedKind)BinaryPrimitives.ReadInt32LittleEndian(header[KindOffset..]),
            Encoding.UTF8.GetString(header.Slice(TextOffset, text)),
            size is >= 0 and <= int.MaxValue ? (int)size : -1,
            length is >= 0 and <= int.MaxValue ? (int)length : -1);
    }

    private static void Require(string path, in SharedShape there, ulong fingerprint, in SharedShape asked)
    {
        if (there.Kind != asked.Kind || fingerprint != SchemaText.Fingerprint(asked.Layout))
        {
            throw new SchemaMismatchException(
                $"{path} is {there.Text}. It was opened as {asked.Text}. All processes must open it with the same kind and the same type: "
                + "name, size, and the name, type and offset of each field. Choose another name, or delete it.")
            { Path = path };
        }
        if (asked.Length is { } length && length != there.Length)
        {
            throw new ArgumentException(
                $"{path} has the length {there.Length}, and was opened with the length {length}. Open it without a length, to take what is "
                + "there, or delete it first.");
        }
    }
}
