using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue.Sharing;

/// <summary>
/// Two copies of a value and a version, which counts the writes; its lowest bit says which copy is current. A writer has the lock; it fills
/// the other copy and then raises the version. So the current copy is whole at any moment, also when a writer dies.
/// </summary>
/// <remarks>
/// SYNC POINT shared value: the version is stored with release order after the copy, and loaded with acquire order before it, so a reader
/// sees the copy that belongs to the version. The copy that it reads is written over only after a newer version was stored. A write fence
/// keeps these two stores of the writer in order; a read fence keeps the reader's second look at the version behind its read of the copy.
/// If the second look finds the same version, no write to this copy had begun before the reader had read all of it. Otherwise it reads
/// again.
/// </remarks>
internal sealed class ValueCells<T, TMem>(MappedRegion region, long versionOffset, long first, long stride)
    where T : unmanaged
    where TMem : struct, ISharedMemory
{
    private readonly SharedWord<long> _version = region.SharedWord(versionOffset);
    private readonly SharedWord<T> _even = region.SharedStruct<T>(first);
    private readonly SharedWord<T> _odd = region.SharedStruct<T>(first + stride);

    /// <summary>How often the value was written.</summary>
    public long Version => TMem.Load(ref _version.Value);

    /// <summary>A whole value.</summary>
    /// <returns>Its version.</returns>
    public long Read(out T value)
    {
        for (; ; )
        {
            // SYNC POINT shared value: acquires the copy that the version names.
            long version = TMem.Load(ref _version.Value);
            if (TMem.IsWatched)
            {
                TMem.Reading(Bytes(version));
            }
            value = Copy(version);
            TMem.ReadFence();
            if (TMem.Read(ref _version.Value) == version)
            {
                return version;
            }
        }
    }

    /// <summary>The current value, for a caller that has the lock.</summary>
    public T Current
    {
        get
        {
            long version = TMem.Read(ref _version.Value);
            if (TMem.IsWatched)
            {
                TMem.Reading(Bytes(version));
            }
            return Copy(version);
        }
    }

    /// <summary>Makes a value the current one. The caller has the lock.</summary>
    /// <returns>Its version.</returns>
    public long Write(in T value)
    {
        // Taking the lock acquired it from the writer before.
        long version = TMem.Read(ref _version.Value) + 1;
        // SYNC POINT shared value: the last version is stored before this copy changes, which a reader may still be reading.
        TMem.WriteFence();
        Fill(version, value);
        FailPoint.Reach(ProtocolStep.SharedValueWritten);
        // SYNC POINT shared value: publishes the copy.
        TMem.Store(ref _version.Value, version);
        FailPoint.Reach(ProtocolStep.SharedValuePublished);
        return version;
    }

    private void Fill(long version, in T value)
    {
#if FAILPOINTS
        Copy(version) = default;
        FailPoint.Reach(ProtocolStep.SharedValueHalfWritten);
#endif
        Copy(version) = value;
        if (TMem.IsWatched)
        {
            TMem.Written(Bytes(version));
        }
    }

    private ref T Copy(long version) => ref ((version & 1) == 0 ? _even : _odd).Value;

    private Span<byte> Bytes(long version) => region.Bytes(first + ((version & 1) * stride), Blit.SizeOf<T>());
}
