using BlitQueue.Memory;

namespace BlitQueue.Calls;

/// <summary>
/// Bytes from one process to another through a ring: one writes and one reads, each has a word of its own that only grows.
/// </summary>
/// <remarks>
/// SYNC POINT call bytes: each side stores its word behind what it has copied, and loads the other's word in front of what it copies.
/// </remarks>
/// <param name="region">The client's file.</param>
/// <param name="start">The ring's first byte.</param>
/// <param name="size">Its bytes.</param>
/// <param name="written">How many bytes were ever written.</param>
/// <param name="read">How many bytes were ever read.</param>
internal readonly struct RpcPipe(MappedRegion region, long start, int size, SharedWord<long> written, SharedWord<long> read)
{
    // Both sides copy at the same time where there is more.
    private const int LongestCopy = 64 * 1024;

    private readonly SharedWord<long> _written = written, _read = read;

    public int Size => size;

    /// <summary>All of the ring, for what fits into it as a whole.</summary>
    public Span<byte> Whole => region.Bytes(start, size);

    /// <summary>How many bytes can be read.</summary>
    public int Waiting => Clamp(MachineMemory.Load(ref _written.Value) - MachineMemory.Load(ref _read.Value));

    /// <summary>How many bytes can be written.</summary>
    public int Space => size - Waiting;

    /// <summary>Writes as many bytes as there is space for, at most 64 KiB.</summary>
    /// <returns>How many.</returns>
    public int Write(ReadOnlySpan<byte> bytes)
    {
        long at = MachineMemory.Read(ref _written.Value);
        int count = Math.Min(Math.Min(size - Clamp(at - MachineMemory.Load(ref _read.Value)), bytes.Length), LongestCopy);
        if (count > 0)
        {
            int offset = OffsetOf(at), first = Math.Min(count, size - offset);
            bytes[..first].CopyTo(region.Bytes(start + offset, first));
            bytes[first..count].CopyTo(region.Bytes(start, count - first));
            MachineMemory.Store(ref _written.Value, at + count);
        }
        return count;
    }

    /// <summary>Reads as many bytes as there are, at most 64 KiB.</summary>
    /// <returns>How many.</returns>
    public int Read(Span<byte> bytes)
    {
        long at = MachineMemory.Read(ref _read.Value);
        int count = Math.Min(Math.Min(Clamp(MachineMemory.Load(ref _written.Value) - at), bytes.Length), LongestCopy);
        if (count > 0)
        {
            int offset = OffsetOf(at), first = Math.Min(count, size - offset);
            region.Bytes(start + offset, first).CopyTo(bytes);
            region.Bytes(start, count - first).CopyTo(bytes[first..]);
            MachineMemory.Store(ref _read.Value, at + count);
        }
        return count;
    }

    // The other process may have written anything.
    private int Clamp(long count) => (int)Math.Clamp(count, 0, size);

    private int OffsetOf(long at) => (int)((ulong)at % (ulong)size);
}
