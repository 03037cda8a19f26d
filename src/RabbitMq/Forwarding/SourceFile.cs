using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Who the source is, and how far the broker has confirmed; written before the subscription passes those messages. So after a kill each
/// message that was published and not confirmed is published with the same position and the same predecessor, one that was confirmed is not
/// published again, and one that was not sent because it is to become a dead letter is not taken for a confirmed one.
/// </summary>
/// <remarks>
/// Two slots are written in turn, each with a check: whatever is torn, the other slot is whole. An older slot is no harm: the
/// predecessor that it names is one from before the real one. The open file is the lock against a second forwarder, which the kernel
/// releases when the process dies. All of the file has its blocks from the beginning: a note fits on a full disk.
/// </remarks>
internal sealed class SourceFile : IDisposable
{
    private const int NoSpace = 28, QuotaExceeded = 122, WindowsHandleFull = 39, WindowsDiskFull = 112;
    private const int WouldBlock = 11, WouldBlockOnMac = 35, WindowsShared = 32, WindowsLocked = 33;
    private const ulong FirstHash = 0xcbf2_9ce4_8422_2325;
    private const ulong Magic = 0x3230_4457_4651_4221;
    private const int CounterOffset = 8, OwnerOffset = 16, SourceOffset = 32, LastOffset = 48, DestinationOffset = 64, NameOffset = 72,
        CountOffset = 80, CheckOffset = 88, UnsentOffset = 96;

    // Epoch and position of each unsent message.
    private const int PointSize = 2 * sizeof(long);

    // Of each slot; the file has two, one at each multiple of it.
    private const int SlotSize = 40 << 10;

    /// <summary>How many unsent messages a note has room for.</summary>
    public const int MostUnsent = (SlotSize - UnsentOffset) / PointSize;

    // Earlier versions had two slots of 64 bytes each, without epoch and unsent messages, and stored the queue's identity alone.
    private const ulong EarlierMagic = 0x3130_4457_4651_4221;
    private const int EarlierSize = 64, EarlierPositionOffset = 48, EarlierCheckOffset = 56;

    // A longer slot may be torn, and the other one with it, unless each is on the disk before the next is written.
    private const int SectorSize = 512;

    private readonly FileStream _file;
    private readonly byte[] _slot = new byte[SlotSize];
    private Guid _owner;

    // Of the subscription.
    private long _name;

    // Even: the first slot. So that is the one which a new file begins with.
    private long _counter = 1;

    private SourceFile(FileStream file) => _file = file;

    /// <summary>The identity of the source: of this queue and subscription, for as long as the file exists.</summary>
    public Guid Source { get; private set; }

    /// <summary>How far the broker has confirmed.</summary>
    public ForwardNote Noted { get; private set; } = ForwardNote.Nothing;

    /// <summary>Opens the file, making it where there is none.</summary>
    /// <param name="path">The file.</param>
    /// <param name="queue">The queue's identity.</param>
    /// <param name="subscription">What is forwarded of it.</param>
    /// <param name="isNamed">Whether the path names the subscription: then a file of another queue is of one that was there before.</param>
    /// <exception cref="BridgeException">Another forwarder has it open, or the disk has no room for it.</exception>
    /// <exception cref="InvalidDataException">It is no such file, or damaged, or another subscription's.</exception>
    public static SourceFile Open(string path, Guid queue, string subscription, bool isNamed)
    {
        FileStream file = OpenAlone(path);
        try
        {
            var source = new SourceFile(file);
            source.Load(path, queue, subscription, isNamed);
            return source;
        }
        catch (IOException exception) when (IsDiskFull(exception))
        {
            file.Dispose();
            throw NoRoom(path, exception);
        }
        catch
        {
            file.Dispose();
            throw;
        }
    }

    /// <summary>Opens a file as a lock: for one forwarder at a time, until it is disposed or the process dies.</summary>
    /// <exception cref="BridgeException">Another forwarder has it open, or the disk has no room for it.</exception>
    /// <exception cref="IOException">The system refuses it: a disk that is only read, a directory that is not there.</exception>
    public static FileStream OpenAlone(string path)
    {
        try
        {
            return new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, bufferSize: 0);
        }
        catch (IOException exception) when (IsDiskFull(exception))
        {
            throw NoRoom(path, exception);
        }
        catch (IOException exception) when (IsLocked(exception))
        {
            throw new BridgeException(
                BridgeProblem.InUse, $"{path} is in use: another process forwards this subscription. It takes over when that one ends.",
                exception);
        }
    }

    /// <summary>The broker has confirmed more, or other messages are to become dead letters.</summary>
    /// <param name="note">All of it.</param>
    /// <param name="isSynced">Whether to bring it to the disk.</param>
    /// <exception cref="BridgeException">The disk refuses it; for want of room only one that never overwrites does.</exception>
    public void Note(ForwardNote note, bool isSynced = false)
    {
        try
        {
            Write(note);
            if (isSynced || LengthOf(note) > SectorSize)
            {
                Flush();
            }
        }
        catch (IOException exception)
        {
            throw IsDiskFull(exception)
                ? NoRoom(_file.Name, exception)
                : new BridgeException(BridgeProblem.Other, $"{_file.Name} cannot be written: {exception.Message}", exception);
        }
        Noted = note;
    }

    // Without success the slot counts as not written: the next note goes there once more, and not over the one that is whole.
    private void Flush()
    {
        try
        {
            _file.Flush(flushToDisk: true);
        }
        catch (IOException)
        {
            _counter--;
            throw;
        }
    }

    private static int LengthOf(ForwardNote note) => UnsentOffset + (note.Unsent.Count * PointSize);

    public void Dispose() => _file.Dispose();

    private void Load(string path, Guid queue, string subscription, bool isNamed)
    {
        (_owner, _name) = (OwnerOf(queue, subscription), (long)Hash(FirstHash, Encoding.UTF8.GetBytes(subscription)));
        if (TryLoad(out bool isEarlier))
        {
            Guid owner = new(_slot.AsSpan(OwnerOffset, 16));
            if (owner == _owner || (isEarlier && owner == queue))
            {
                Complete(isEarlier);
                return;
            }
            // Two paths and subscriptions may make one name: orders with eu.west, and orders.eu with west.
            if (!isNamed || (!isEarlier && BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(NameOffset)) != _name))
            {
                throw new InvalidDataException(
                    $"{path} is the state of another subscription, or of another queue. Each needs a file of its own "
                    + "(ForwarderOptions.StatePath). Delete it if nobody forwards that one any more.");
            }
        }
        else if (_file.Length >= UnsentOffset)
        {
            throw new InvalidDataException(
                $"{path} is no state of a forwarder, or damaged. Delete it to forward what waits as a new source: messages that the broker "
                + "had confirmed, or was about to, may then arrive twice.");
        }
        (Source, Noted) = (Guid.NewGuid(), ForwardNote.Nothing);
        Write(Noted);
        Complete(isEarlier: false);
        // Once a message has left under this identity, no power loss may give the source another one.
        _file.Flush(flushToDisk: true);
        DirectorySync.FlushEntryOf(_file);
    }

    // The newer slot that is whole, of this version or of an earlier one.
    private bool TryLoad(out bool isEarlier)
    {
        for (isEarlier = false; ; isEarlier = true)
        {
            bool isFirst = TryRead(0, isEarlier, out long first), isSecond = TryRead(1, isEarlier, out long second);
            if (isFirst || isSecond)
            {
                TryRead(isFirst && (!isSecond || first > second) ? 0 : 1, isEarlier, out _counter);
                Source = new Guid(_slot.AsSpan(SourceOffset, 16));
                return true;
            }
            if (isEarlier)
            {
                return false;
            }
        }
    }

    // A file that a killed process began, or one of an earlier version, gets all of its blocks and both slots.
    private void Complete(bool isEarlier)
    {
        long length = _file.Length;
        if (length >= 2 * SlotSize && !isEarlier)
        {
            return;
        }
        if (length < 2 * SlotSize)
        {
            RandomAccess.Write(_file.SafeFileHandle, new byte[(2 * SlotSize) - length], length);
        }
        if (isEarlier)
        {
            // The second slot first: both of the earlier version are where the other one is.
            _counter += _counter % 2;
        }
        Write(Noted);
        Write(Noted);
    }

    private static Guid OwnerOf(Guid queue, string subscription)
    {
        byte[] hash = SHA256.HashData([.. queue.ToByteArray(), .. Encoding.UTF8.GetBytes(subscription)]);
        return new Guid(hash.AsSpan(0, 16));
    }

    private bool TryRead(int slot, bool isEarlier, out long counter)
    {
        ForwardNote? note = isEarlier ? ReadEarlier(slot) : Read(slot);
        Noted = note ?? Noted;
        counter = note is null ? 0 : BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(CounterOffset));
        return note is not null;
    }

    private ForwardNote? Read(int slot)
    {
        int read = RandomAccess.Read(_file.SafeFileHandle, _slot, (long)slot * SlotSize);
        long count = read < UnsentOffset ? -1 : BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(CountOffset));
        if (count is < 0 or > MostUnsent
            || read < UnsentOffset + (count * PointSize)
            || BinaryPrimitives.ReadUInt64LittleEndian(_slot) != Magic
            || BinaryPrimitives.ReadUInt64LittleEndian(_slot.AsSpan(CheckOffset)) != CheckOf((int)count))
        {
            return null;
        }
        return new ForwardNote(
            ReadPoint(LastOffset), [.. Enumerable.Range(0, (int)count).Select(i => ReadPoint(UnsentOffset + (i * PointSize)))])
        {
            Destination = BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(DestinationOffset)),
        };
    }

    private ForwardNote? ReadEarlier(int slot)
    {
        Span<byte> bytes = _slot.AsSpan(0, EarlierSize);
        return RandomAccess.Read(_file.SafeFileHandle, bytes, slot * EarlierSize) == EarlierSize
            && BinaryPrimitives.ReadUInt64LittleEndian(bytes) == EarlierMagic
            && BinaryPrimitives.ReadUInt64LittleEndian(bytes[EarlierCheckOffset..]) == Hash(FirstHash, bytes[..EarlierCheckOffset])
            ? new ForwardNote(new ForwardPoint(Epoch: 0, BinaryPrimitives.ReadInt64LittleEndian(bytes[EarlierPositionOffset..])), [])
            : null;
    }

    private ForwardPoint ReadPoint(int offset) => new(
        BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(offset)),
        BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(offset + sizeof(long))));

    private void WritePoint(int offset, ForwardPoint point)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(offset), point.Epoch);
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(offset + sizeof(long)), point.Position);
    }

    private void Write(ForwardNote note)
    {
        int count = note.Unsent.Count;
        long counter = _counter + 1;
        BinaryPrimitives.WriteUInt64LittleEndian(_slot, Magic);
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(CounterOffset), counter);
        _owner.TryWriteBytes(_slot.AsSpan(OwnerOffset));
        Source.TryWriteBytes(_slot.AsSpan(SourceOffset));
        WritePoint(LastOffset, note.Last);
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(DestinationOffset), note.Destination);
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(NameOffset), _name);
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(CountOffset), count);
        for (int i = 0; i < count; i++)
        {
            WritePoint(UnsentOffset + (i * PointSize), note.Unsent[i]);
        }
        BinaryPrimitives.WriteUInt64LittleEndian(_slot.AsSpan(CheckOffset), CheckOf(count));
        RandomAccess.Write(_file.SafeFileHandle, _slot.AsSpan(0, LengthOf(note)), counter % 2 * SlotSize);
        _counter = counter;
    }

    private static BridgeException NoRoom(string path, IOException exception) =>
        new(BridgeProblem.LocalQueueFull, $"{path} cannot be written: the disk has no room. Nothing is forwarded until it has.", exception);

    // .NET puts Windows' error code, or the errno value, into HResult.
    private static bool IsLocked(IOException exception) =>
        (exception.HResult & 0xFFFF) is var code
        && (OperatingSystem.IsWindows() ? code is WindowsShared or WindowsLocked : code is WouldBlock or WouldBlockOnMac);

    private static bool IsDiskFull(IOException exception) => OperatingSystem.IsWindows()
        ? (exception.HResult & 0xFFFF) is WindowsHandleFull or WindowsDiskFull
        : (exception.HResult & 0xFFFF) is NoSpace or QuotaExceeded;

    private ulong CheckOf(int unsent) =>
        Hash(Hash(FirstHash, _slot.AsSpan(0, CheckOffset)), _slot.AsSpan(UnsentOffset, unsent * PointSize));

    // FNV-1a of 64 bits: against torn writes, not against people.
    private static ulong Hash(ulong hash, ReadOnlySpan<byte> bytes)
    {
        foreach (byte one in bytes)
        {
            hash = (hash ^ one) * 0x100_0000_01b3;
        }
        return hash;
    }
}
