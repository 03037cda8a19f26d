using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>
/// Records whose length is known before, packed in place: where nothing is to be prepared, so that nothing can fail. Each member here is a
/// few instructions; the caller sees to it that nothing else comes between, so that all stays in registers. Batches of them stand behind
/// the announcing record, whose header is stored last.
/// </content>
internal sealed partial class Appender<TMem>
{
    private readonly SharedWord<int> _sleepingReaders = control.Data.Sleepers;
    private readonly EventCount _readers = control.Data;

    // Where the last of these ended, and how far they may go on. Only the holder of the append lock uses it, on whatever thread.
    private AppendWindow _window;

    // The headers of the open batch's records, added up.
    private long _batchHeaders;

    /// <summary>Acquires the append lock if it is free.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAcquireLock()
    {
        // SYNC POINT append lock: acquires what the holder before wrote at the tail.
        bool taken = TMem.CompareExchange(ref _lockOwner.Value, _me, 0) == 0;
        FailPoint.ReachIf(taken, ProtocolStep.AppendLockAcquired);
        return taken;
    }

    /// <summary>Whether the log goes on where the last of these records ended, and has room there. The append lock is held.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool GoesOn(int length) => TMem.Read(ref _tail.Value) == _window.Position && _window.HasRoom(length);

    /// <summary>
    /// Goes on from the tail, after others have appended, or after other records; until something is to be prepared or the log may not
    /// grow. The append lock is held.
    /// </summary>
    /// <returns>false where there is no room.</returns>
    public bool TryFollow(int length, long end)
    {
        // Before the first segment is entered, nothing may be appended so.
        _window = _segment is { } segment ? segment.Window(TailWord(), Math.Min(end, _prepareAt - 1)) : default;
        return _window.HasRoom(length);
    }

    /// <summary>Where the record is, after <see cref="GoesOn"/> or <see cref="TryFollow"/>.</summary>
    public RecordSlot Slot
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _window.Slot;
    }

    /// <summary>Publishes the record and releases the append lock.</summary>
    /// <returns>Where the record is.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long PublishAt(RecordSlot slot, int length)
    {
        FailPoint.Reach(ProtocolStep.AppendPacked);
        Span<byte> payload = slot.Payload(length);
        TMem.Written(payload);
        long position = _window.Position;
        long header = _check.Header(RecordKind.Data, position, payload);
        Seal(ref slot.HeaderBehind(length));
        PublishSealed(ref slot.Header, header, _window.Position = position + RecordFormat.Extent(length));
        ReleaseLock();
        return position;
    }

    /// <summary>Wakes readers that sleep.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeReaders() => EventCount.NotifyWaiters<TMem>(ref _sleepingReaders.Value, _readers);

    /// <summary>
    /// Acquires the append lock and opens a batch at the tail, where that takes no more than a look, as <see cref="TryAcquireLock"/> and
    /// <see cref="GoesOn"/> do. Never throws.
    /// </summary>
    /// <param name="count">How many records, 2 or more.</param>
    /// <param name="length">The bytes of each one's payload.</param>
    /// <param name="end">As far as the log may grow.</param>
    /// <param name="position">Where the batch is; the first record is at <see cref="FirstOfBatch"/>.</param>
    /// <returns>false, without the append lock, where it takes more.</returns>
    public bool TryOpenBatch(int count, int length, long end, out long position)
    {
        // SYNC POINT append lock: acquires what the holder before wrote at the tail.
        if (TMem.CompareExchange(ref _lockOwner.Value, _me, 0) != 0)
        {
            position = 0;
            return false;
        }
        FailPoint.Reach(ProtocolStep.AppendLockAcquired);
        position = TailWord();
        long behind = BatchLayout.AnnouncementExtent - RecordFormat.HeaderSize + (count * RecordFormat.Extent(length));
        long next = position + RecordFormat.HeaderSize + behind;
        if (next < _prepareAt && behind <= PackWriter.MostInPlace && next <= end && next <= _segment!.End - RecordFormat.HeaderSize)
        {
            _batchHeaders = 0;
            BatchWriter<TMem>.WriteAnnouncement(_segment, position, BatchLayout.BeingWritten);
            return true;
        }
        ReleaseLock();
        return false;
    }

    /// <summary>The position of a batch's first record behind the announcing one.</summary>
    public static long FirstOfBatch(long position) => position + BatchLayout.AnnouncementExtent;

    /// <summary>The place of a record in the open batch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetSlotInBatch(long position, int length, out RecordSlot slot) => _segment!.TryGetSlot(position, length, out slot);

    /// <summary>
    /// Completes a record of the open batch, whose payload is in its place: unpublished as long as the announcing header is zero.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndInBatch(in RecordSlot slot, long position, int length)
    {
        TMem.Written(slot.Payload(length));
        long header = _check.Header(RecordKind.BatchData, position, slot.Payload(length));
        _batchHeaders += header;
        TMem.Write(ref slot.Header, header);
    }

    /// <summary>Gives the open batch up, and releases the append lock.</summary>
    public void AbandonBatch(long position)
    {
        Disown(position);
        ReleaseLock();
    }

    /// <summary>Publishes the open batch, up to behind its last record, and releases the append lock.</summary>
    public void PublishBatch(long position, long next)
    {
        Segment segment = _segment!;
        Seal(ref segment.Header(next));
        long announcement = BatchLayout.Announcement(next - FirstOfBatch(position), _batchHeaders);
        Span<byte> payload = BatchWriter<TMem>.WriteAnnouncement(segment, position, announcement);
        long header = _check.Header(RecordKind.Batch, position, payload);
        FailPoint.Reach(ProtocolStep.AppendBatchWritten);
        PublishSealed(ref segment.Header(position), header, next);
        ReleaseLock();
    }
}
