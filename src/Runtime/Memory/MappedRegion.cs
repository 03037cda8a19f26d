using System.Runtime.Intrinsics.X86;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Memory;

/// <summary>
/// Owns one mapping of a file that other processes map too. It returns words and spans of the mapping, each checked against its length.
/// Code that uses them makes sure that the region is not disposed meanwhile (<see cref="CallGate"/>).
/// </summary>
internal sealed unsafe class MappedRegion : IDisposable
{
    private const int CacheLine = 64;

    private readonly FileView _view;
    private readonly byte* _start;

    /// <summary>The first bytes of a file, as <see cref="IPlatform.Map"/> maps them.</summary>
    public MappedRegion(SafeFileHandle file, long length, bool isWritten = true)
        : this(CurrentPlatform.Instance.Map(file, length, isWritten), length)
    {
    }

    /// <summary>Memory filled with zeros that belongs to no file and is used like a mapping.</summary>
    public MappedRegion(long length) : this(ManagedView.OfNothing(length), length)
    {
    }

    private MappedRegion(FileView view, long length)
    {
        _view = view;
        _start = (byte*)view.Address;
        Length = length;
    }

    /// <summary>How many bytes are mapped.</summary>
    public long Length { get; }

    /// <summary>The address of a byte, for calls that the kernel takes by address.</summary>
    public nint AddressOf(long offset) => (nint)(_start + Checked(offset, 1));

    /// <summary>Brings a part of the file to the disk, whichever process wrote it, by whole pages.</summary>
    /// <exception cref="IOException">
    /// The disk refused. The system may count the pages as written from now on, so that another sync would
    /// prove nothing.
    /// </exception>
    public void Sync(long start, long end)
    {
        long first = start & -Environment.SystemPageSize;
        CurrentPlatform.Instance.SyncRange(_view, AddressOf(first), end - first);
    }

    /// <summary>Has the system begin to read a part that will be read soon, without waiting for it.</summary>
    public void ReadAhead(long start, long length) => CurrentPlatform.Instance.ReadAhead(AddressOf(start), length);

    /// <summary>Reads each page of the first bytes of a file in memory, so that a later look needs no room for it.</summary>
    /// <returns>false where there is no room, or the system cannot do it.</returns>
    public bool TryPopulate(long length) => CurrentPlatform.Instance.TryPopulate(AddressOf(0), length, inMemory: true);

    /// <summary>
    /// Marks every page of a part as changed, so that the next sync writes it again. No other thread or process may write there meanwhile.
    /// </summary>
    public void Rewrite(long start, long end)
    {
        for (long page = start & -Environment.SystemPageSize; page < end; page += Environment.SystemPageSize)
        {
            Volatile.Write(ref Word(page), Volatile.Read(ref Word(page)));
        }
    }

    /// <summary>The 64-bit word at a multiple of 8.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref long Word(long offset)
    {
        Debug.Assert((offset & 7) == 0, "A word that crosses its natural boundary is not read or written in one piece.");
        return ref *(long*)(_start + Checked(offset, sizeof(long)));
    }

    /// <summary>The 32-bit word at a multiple of 4.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ref int Word32(long offset)
    {
        Debug.Assert((offset & 3) == 0, "A word that crosses its natural boundary is not read or written in one piece.");
        return ref *(int*)(_start + Checked(offset, sizeof(int)));
    }

    /// <summary>The region addressed by positions; its length is a power of two.</summary>
    /// <param name="first">The position of its first byte, a multiple of the length.</param>
    public PositionedMemory ByPosition(long first)
    {
        Debug.Assert(BitOperations.IsPow2(Length), "A mask stands for the length.");
        return new PositionedMemory(_start, Length, first);
    }

    /// <summary>The 64-bit word at a multiple of 8, as a value that a field can store.</summary>
    public SharedWord<long> SharedWord(long offset) => new((long*)Unsafe.AsPointer(ref Word(offset)));

    /// <summary>A value of any size at an offset that is a multiple of 8, as a value that a field can store.</summary>
    public SharedWord<T> SharedStruct<T>(long offset)
        where T : unmanaged => new((T*)(_start + Checked(offset, sizeof(T))));

    /// <summary>So many values from an offset on, which is a multiple of 64.</summary>
    public MappedElements<T> Elements<T>(long offset, int length)
        where T : unmanaged => (ulong)offset <= (ulong)Length && (ulong)length * (ulong)sizeof(T) <= (ulong)(Length - offset)
            ? new MappedElements<T>((T*)(_start + offset), length)
            : throw new InvalidOperationException($"{length} elements at {offset} are outside a mapping of {Length} bytes.");

    /// <summary>The bytes from an offset on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public Span<byte> Bytes(long offset, int length) => new(_start + Checked(offset, length), length);

    /// <summary>Has the processor get the lines of bytes that will be read soon, where it can, without waiting for them.</summary>
    public void Prefetch(long offset, int length)
    {
        if (Sse.IsSupported)
        {
            byte* start = _start + Checked(offset, length);
            for (int at = 0; at < length; at += CacheLine)
            {
                Sse.Prefetch0(start + at);
            }
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private long Checked(long offset, int size)
    {
        if ((ulong)offset > (ulong)(Length - size) || size < 0)
        {
            ThrowOutside(offset, size);
        }
        return offset;
    }

    [DoesNotReturn]
    private void ThrowOutside(long offset, int size) =>
        throw new InvalidOperationException($"{size} bytes at {offset} are outside a mapping of {Length} bytes.");

    public void Dispose() => _view.Dispose();

    /// <summary>
    /// Gives the file back instead of <see cref="Dispose"/>, where callers may still have references to the mapping: the address stays
    /// valid until the process ends, and leads to memory of this process alone that was filled with zeros.
    /// </summary>
    public void Detach() => _view.Detach();
}
