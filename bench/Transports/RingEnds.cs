using System.IO.MemoryMappedFiles;
using System.Runtime.CompilerServices;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Transports;

/// <summary>
/// The least that shared memory asks for: one producer, one consumer, a ring of fixed slots, each message published at once,
/// indices cached. No typing, no recovery, no second producer, nothing kept.
/// <code>
/// offset  size
///    128     8  tail: bytes ever written
///    256     8  head: bytes ever read
///   4096        slots: 8 bytes of length, then the message
/// </code>
/// </summary>
internal static class Ring
{
    public const int TailOffset = 128, HeadOffset = 256, SlotsOffset = 4096, HeaderSize = 8;

    /// <summary>Slots of large messages.</summary>
    public const int Nodes = 20;

    // 4 MiB stay in the cache that the two processors share.
    private const int Capacity = 4 << 20, Large = 64 << 10;

    public static long FileSize(int size) => SlotsOffset + Used(size);

    public static int SlotSize(int size) => HeaderSize + ((size + 7) & ~7);

    /// <summary>Bytes of slots that are used: whole ones.</summary>
    public static int Used(int size) => (size < Large ? Capacity / SlotSize(size) : Nodes) * SlotSize(size);
}

/// <summary>What both ends of a <see cref="Ring"/> have.</summary>
internal unsafe struct RingEnd : IDisposable
{
    public readonly byte* Start;
    public readonly byte[] Message;
    public readonly int SlotSize;
    public readonly int Used;
    private readonly SharedBytes _shared;
    private int _offset;

    public RingEnd(string path, int size)
    {
        _shared = new SharedBytes(path, Ring.FileSize(size));
        Start = _shared.Start;
        Message = new byte[size];
        SlotSize = Ring.SlotSize(size);
        Used = Ring.Used(size);
    }

    /// <summary>The slot that follows; behind the last one the first.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte* NextSlot()
    {
        byte* slot = Start + Ring.SlotsOffset + _offset;
        _offset = _offset + SlotSize == Used ? 0 : _offset + SlotSize;
        return slot;
    }

    public readonly void Dispose() => _shared.Dispose();
}

/// <summary>The producer of a <see cref="Ring"/>.</summary>
internal unsafe struct RingSender : ISender
{
    private RingEnd _ring;
    private long _tail;
    private long _head;

    public RingSender(string path, int size)
    {
        _ring = new RingEnd(path, size);
        Pattern.Fill(_ring.Message);
    }

    public void Send(long number)
    {
        Pattern.Stamp(_ring.Message, number);
        while (_tail - _head + _ring.SlotSize > _ring.Used)
        {
            _head = Volatile.Read(ref *(long*)(_ring.Start + Ring.HeadOffset));
        }
        byte* slot = _ring.NextSlot();
        *(long*)slot = _ring.Message.Length;
        _ring.Message.AsSpan().CopyTo(new Span<byte>(slot + Ring.HeaderSize, _ring.Message.Length));
        _tail += _ring.SlotSize;
        Volatile.Write(ref *(long*)(_ring.Start + Ring.TailOffset), _tail);
    }

    public readonly void Dispose() => _ring.Dispose();
}

/// <summary>The consumer of a <see cref="Ring"/>; copies each message out before it looks at it, as a queue must.</summary>
internal unsafe struct RingReceiver : IReceiver
{
    // The head is given back for several slots at a time: each store takes the line from the producer.
    private const int ReleaseEvery = 16;

    private readonly int _releaseEvery;
    private RingEnd _ring;
    private int _unreleased;
    private long _head;
    private long _tail;

    public RingReceiver(string path, int size)
    {
        _ring = new RingEnd(path, size);
        _releaseEvery = Math.Min(ReleaseEvery, _ring.Used / _ring.SlotSize / 4);
    }

    public long Receive()
    {
        while (_head == _tail)
        {
            _tail = Volatile.Read(ref *(long*)(_ring.Start + Ring.TailOffset));
        }
        byte* slot = _ring.NextSlot();
        new ReadOnlySpan<byte>(slot + Ring.HeaderSize, (int)*(long*)slot).CopyTo(_ring.Message);
        _head += _ring.SlotSize;
        if (++_unreleased == _releaseEvery || _head == _tail)
        {
            _unreleased = 0;
            Volatile.Write(ref *(long*)(_ring.Start + Ring.HeadOffset), _head);
        }
        return Pattern.Check(_ring.Message);
    }

    public readonly void Dispose() => _ring.Dispose();
}

/// <summary>A file that two processes map, by pointer; zero when first opened.</summary>
internal sealed unsafe class SharedBytes : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;

    public SharedBytes(string path, long length)
    {
        var stream = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite);
        if (stream.Length < length)
        {
            stream.SetLength(length);
        }
        _file = MemoryMappedFile.CreateFromFile(
            stream, mapName: null, length, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: false);
        _view = _file.CreateViewAccessor(0, length, MemoryMappedFileAccess.ReadWrite);
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        Start = start;
    }

    public byte* Start { get; }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }
}
