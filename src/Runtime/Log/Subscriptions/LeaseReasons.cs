using System.Text.Unicode;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Log;

/// <summary>
/// Why the messages in a subscription's cells were given back the last time that somebody said why: a file with a slot for each lease cell,
/// made with the first reason.
/// <code>
/// offset  size
///      0     8  position of the message that was given back
///      8     4  bytes of the reason; 0 = none
///     12     4  check over the reason, with the position and the queue's id
///     16        the reason, UTF-8
/// </code>
/// </summary>
/// <remarks>
/// A slot is written by one call of the system and lies in one page, so that a killed process has written it or not; only the participant
/// whose exchange made the cell's state <see cref="LeaseState.GivingBack"/> writes it. A power loss may leave a slot torn: then the check
/// says so, and there is no reason. A slot of an earlier message of the cell has another position.
/// </remarks>
internal sealed class LeaseReasons(QueueFiles files, QueueMeta meta, string subscription, Func<bool> isGone) : IDisposable
{
    /// <summary>Bytes of UTF-8 that a reason may have; longer ones are cut.</summary>
    public const int Longest = SlotSize - HeaderSize;

    /// <summary>How long the file gets at most.</summary>
    public const int MostBytes = SubscriptionFormat.Cells * SlotSize;

    // A divisor of a page.
    private const int SlotSize = 1024, HeaderSize = 16, LengthOffset = 8, CheckOffset = 12;

    private readonly Lock _opening = new();
    private SafeFileHandle? _file;
    private bool _disposed;

    private string Name => StoreFormat.ReasonsName(subscription);

    /// <summary>Writes the reason for the message in a cell. If the disk refuses, there is none, or the one before stays.</summary>
    public void Write(int cell, long position, string reason)
    {
        Span<byte> slot = stackalloc byte[SlotSize];
        Utf8.FromUtf16(reason, slot[HeaderSize..], out _, out int length);
        BinaryPrimitives.WriteInt64LittleEndian(slot, position);
        BinaryPrimitives.WriteInt32LittleEndian(slot[LengthOffset..], length);
        BinaryPrimitives.WriteUInt32LittleEndian(slot[CheckOffset..], CheckOf(position, slot.Slice(HeaderSize, length)));
        try
        {
            if (Open(make: true) is { } file)
            {
                QueueFiles.Write(file, slot[..(HeaderSize + length)], OffsetOf(cell));
            }
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
        }
    }

    /// <summary>The last reason for the message in a cell; null where there is none.</summary>
    public string? Read(int cell, long position)
    {
        Span<byte> slot = stackalloc byte[SlotSize];
        try
        {
            if (Open(make: false) is not { } file)
            {
                return null;
            }
            int read = RandomAccess.Read(file, slot, OffsetOf(cell));
            int length = read < HeaderSize ? 0 : BinaryPrimitives.ReadInt32LittleEndian(slot[LengthOffset..]);
            if (length <= 0 || length > read - HeaderSize || BinaryPrimitives.ReadInt64LittleEndian(slot) != position)
            {
                return null;
            }
            ReadOnlySpan<byte> text = slot.Slice(HeaderSize, length);
            return BinaryPrimitives.ReadUInt32LittleEndian(slot[CheckOffset..]) == CheckOf(position, text)
                ? Encoding.UTF8.GetString(text)
                : null;
        }
        catch (Exception exception) when (IsRefusal(exception))
        {
            return null;
        }
    }

    // Named by the subscription. While the subscription is not deleted, the file of this name is its own.
    private SafeFileHandle? Open(bool make)
    {
        lock (_opening)
        {
            if (_file is null && !_disposed && !isGone() && (make || files.Exists(Name)))
            {
                SafeFileHandle file = make ? files.OpenOrCreate(Name) : files.OpenExisting(Name);
                if (isGone())
                {
                    file.Dispose();
                    return null;
                }
                _file = file;
            }
            return _file;
        }
    }

    private uint CheckOf(long position, ReadOnlySpan<byte> text) => RecordCheck.Compute(meta.Salt, position, RecordKind.Data, text);

    private static long OffsetOf(int cell) => (long)(cell - 1) * SlotSize;

    private static bool IsRefusal(Exception exception) =>
        exception is IOException or UnauthorizedAccessException or ObjectDisposedException or QueueException;

    /// <summary>Closes the file. Later calls find no reasons, and write none.</summary>
    public void Dispose()
    {
        lock (_opening)
        {
            _disposed = true;
            _file?.Dispose();
            _file = null;
        }
    }
}
