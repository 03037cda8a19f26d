using System.Buffers.Binary;
using System.Security.Cryptography;
using System.Text;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Who the source is, and the position of the last message that the broker has confirmed; written before the subscription passes those
/// messages. So after a kill each message that was published and not confirmed is published with the same position and the same
/// predecessor, and one that was confirmed is not published again.
/// </summary>
/// <remarks>
/// Two slots are written in turn, each with a check: whatever is torn, the other slot is whole. An older slot is no harm: the
/// predecessor that it names is one from before the real one. The open file is the lock against a second forwarder, which the kernel
/// releases when the process dies.
/// </remarks>
internal sealed class SourceFile : IDisposable
{
    private const int SlotSize = 64;
    private const int NoSpace = 28, QuotaExceeded = 122, WindowsHandleFull = 39, WindowsDiskFull = 112;
    private const ulong Magic = 0x3130_4457_4651_4221;
    private const int CounterOffset = 8, OwnerOffset = 16, SourceOffset = 32, PositionOffset = 48, CheckOffset = 56;

    private readonly FileStream _file;
    private readonly byte[] _slot = new byte[SlotSize];
    private Guid _owner;
    private long _counter;

    private SourceFile(FileStream file) => _file = file;

    /// <summary>The identity of the source: of this queue and subscription, for as long as the file exists.</summary>
    public Guid Source { get; private set; }

    /// <summary>The last message that was confirmed, and that every later one comes after; -1: none.</summary>
    public long Position { get; private set; }

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
        catch (IOException exception) when (exception is not (DirectoryNotFoundException or PathTooLongException or FileNotFoundException))
        {
            throw new BridgeException(
                BridgeProblem.InUse, $"{path} is in use: another process forwards this subscription. It takes over when that one ends.",
                exception);
        }
    }

    /// <summary>The broker has every message up to this position.</summary>
    /// <exception cref="BridgeException">The disk has no room; it has for a file that is there, unless it never overwrites.</exception>
    public void Advance(long position)
    {
        try
        {
            Write(position);
        }
        catch (IOException exception) when (IsDiskFull(exception))
        {
            throw NoRoom(_file.Name, exception);
        }
        Position = position;
    }

    public void Dispose() => _file.Dispose();

    private void Load(string path, Guid queue, string subscription, bool isNamed)
    {
        _owner = OwnerOf(queue, subscription);
        bool isFirst = TryRead(0, out long first), isSecond = TryRead(1, out long second);
        if (isFirst || isSecond)
        {
            TryRead(isFirst && (!isSecond || first > second) ? 0 : 1, out _counter);
            Guid owner = new(_slot.AsSpan(OwnerOffset, 16));
            Source = new Guid(_slot.AsSpan(SourceOffset, 16));
            Position = BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(PositionOffset));
            // Earlier versions stored the queue's identity alone.
            if (owner == _owner || owner == queue)
            {
                return;
            }
            if (!isNamed)
            {
                throw new InvalidDataException(
                    $"{path} is the state of another subscription, or of another queue. Each needs a file of its own "
                    + "(ForwarderOptions.StatePath). Delete it if nobody forwards that one any more.");
            }
        }
        else if (_file.Length >= 2 * SlotSize)
        {
            throw new InvalidDataException(
                $"{path} is no state of a forwarder, or damaged. Delete it to forward what waits as a new source: messages that the broker "
                + "had confirmed, or was about to, may then arrive twice.");
        }
        Source = Guid.NewGuid();
        Position = -1;
        Write(Position);
        Write(Position);
        // Once a message has left under this identity, no power loss may give the source another one.
        _file.Flush(flushToDisk: true);
        DirectorySync.Flush(Path.GetDirectoryName(_file.Name)!);
    }

    private static Guid OwnerOf(Guid queue, string subscription)
    {
        byte[] hash = SHA256.HashData([.. queue.ToByteArray(), .. Encoding.UTF8.GetBytes(subscription)]);
        return new Guid(hash.AsSpan(0, 16));
    }

    private bool TryRead(int slot, out long counter)
    {
        counter = 0;
        if (RandomAccess.Read(_file.SafeFileHandle, _slot, slot * SlotSize) != SlotSize
            || BinaryPrimitives.ReadUInt64LittleEndian(_slot) != Magic
            || BinaryPrimitives.ReadUInt64LittleEndian(_slot.AsSpan(CheckOffset)) != Check())
        {
            return false;
        }
        counter = BinaryPrimitives.ReadInt64LittleEndian(_slot.AsSpan(CounterOffset));
        return true;
    }

    private void Write(long position)
    {
        _counter++;
        BinaryPrimitives.WriteUInt64LittleEndian(_slot, Magic);
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(CounterOffset), _counter);
        _owner.TryWriteBytes(_slot.AsSpan(OwnerOffset));
        Source.TryWriteBytes(_slot.AsSpan(SourceOffset));
        BinaryPrimitives.WriteInt64LittleEndian(_slot.AsSpan(PositionOffset), position);
        BinaryPrimitives.WriteUInt64LittleEndian(_slot.AsSpan(CheckOffset), Check());
        RandomAccess.Write(_file.SafeFileHandle, _slot, _counter % 2 * SlotSize);
    }

    private static BridgeException NoRoom(string path, IOException exception) =>
        new(BridgeProblem.LocalQueueFull, $"{path} cannot be written: the disk has no room. Nothing is forwarded until it has.", exception);

    // .NET puts Windows' error code, or the errno value, into HResult.
    private static bool IsDiskFull(IOException exception) => OperatingSystem.IsWindows()
        ? (exception.HResult & 0xFFFF) is WindowsHandleFull or WindowsDiskFull
        : (exception.HResult & 0xFFFF) is NoSpace or QuotaExceeded;

    // FNV-1a of 64 bits: against torn writes, not against people.
    private ulong Check()
    {
        ulong hash = 0xcbf2_9ce4_8422_2325;
        foreach (byte one in _slot.AsSpan(0, CheckOffset))
        {
            hash = (hash ^ one) * 0x100_0000_01b3;
        }
        return hash;
    }
}
