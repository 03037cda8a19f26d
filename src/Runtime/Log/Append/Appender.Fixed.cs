using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <content>
/// Records whose length is known in advance, packed in place, as long as no segment must be prepared: so nothing can fail. Each member here
/// is a few instructions, and the caller runs them without any other code in between, so that all values stay in registers. The records of
/// a batch come behind the announcing record, whose header is stored last.
/// </content>
internal sealed partial class Appender<TMem>
{
    private readonly SharedWord<long> _sleepingReaders = control.Data.Word;
    private readonly EventCount _readers = control.Data;

    // From the end of the last of these records to the position that they may reach. Only the thread that holds the append lock uses it.
    private AppendWindow _window;

    // The sum of the headers of the open batch's records.
    private long _batchHeaders;

    // Only the thread that holds the append lock adds to it.
    private long _sent;

    /// <summary>How many messages this appender has published.</summary>
    public long Sent => TMem.Read(ref _sent);

    /// <summary>Acquires the append lock if it is free, or biased to the thread.</summary>
    /// <param name="thread"><see cref="ISharedMemory.ThreadId"/>, for a caller that has it.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryAcquireLock(long thread)
    {
        bool taken = TryEnter(thread);
        FailPoint.ReachIf(taken, ProtocolStep.AppendLockAcquired);
        return taken;
    }

    /// <summary>
    /// Whether the tail is still where the last of these records ended, and the window has room for another. The caller holds the append
    /// lock.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool GoesOn(int length) => TMem.Read(ref _tail.Value) == _window.Position && _window.HasRoom(length);

    /// <summary>
    /// Sets the window to the tail, after other appenders' or other kinds of records; it ends where a segment must be prepared or where the
    /// log may not grow further. The caller holds the append lock.
    /// </summary>
    /// <returns>false if there is no room.</returns>
    public bool TryFollow(int length, long end)
    {
        // Before the appender has entered its first segment there is no window.
        _window = _segment is { } segment ? segment.Window(TailWord(), Math.Min(end, _prepareAt - 1)) : default;
        return _window.HasRoom(length);
    }

    /// <summary>The slot for the record, after <see cref="GoesOn"/> or <see cref="TryFollow"/>.</summary>
    public RecordSlot Slot
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _window.Slot;
    }

    /// <summary>Publishes the record and releases the append lock.</summary>
    /// <returns>The record's position.</returns>
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
        CountSent(1);
        ReleaseLock();
        return position;
    }

    /// <summary>Wakes readers that sleep.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WakeReaders() => EventCount.NotifyWaiters<TMem>(ref _sleepingReaders.Value, _readers);

    /// <summary>
    /// Acquires the append lock and opens a batch at the tail, if both succeed without waiting and without preparing a segment, as for <see
    /// cref="TryAcquireLock"/> and <see cref="GoesOn"/>. Never throws.
    /// </summary>
    /// <param name="count">How many records, 2 or more.</param>
    /// <param name="length">The length of each record's payload, bytes.</param>
    /// <param name="end">The position up to which the log may grow.</param>
    /// <param name="position">The batch's position; the first record is at <see cref="FirstOfBatch"/>.</param>
    /// <returns>false if it cannot be done so; then the append lock is not held.</returns>
    public bool TryOpenBatch(int count, int length, long end, out long position)
    {
        if (!TryEnter(TMem.ThreadId))
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

    /// <summary>The slot of a record in the open batch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryGetSlotInBatch(long position, int length, out RecordSlot slot) => _segment!.TryGetSlot(position, length, out slot);

    /// <summary>
    /// Writes the header of a record in the open batch, whose payload is in place. Readers do not see it as long as the announcing header
    /// is zero.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndInBatch(in RecordSlot slot, long position, int length)
    {
        TMem.Written(slot.Payload(length));
        long header = _check.Header(RecordKind.BatchData, position, slot.Payload(length));
        _batchHeaders += header;
        TMem.Write(ref slot.Header, header);
    }

    /// <summary>Abandons the open batch, and releases the append lock.</summary>
    public void AbandonBatch(long position)
    {
        Disown(position);
        ReleaseLock();
    }

    /// <summary>
    /// Publishes the open batch of so many records, the last of which ends at <paramref name="next"/>, and releases the append lock.
    /// </summary>
    public void PublishBatch(long position, long next, int count)
    {
        Segment segment = _segment!;
        Seal(ref segment.Header(next));
        long announcement = BatchLayout.Announcement(next - FirstOfBatch(position), _batchHeaders);
        Span<byte> payload = BatchWriter<TMem>.WriteAnnouncement(segment, position, announcement);
        long header = _check.Header(RecordKind.Batch, position, payload);
        FailPoint.Reach(ProtocolStep.AppendBatchWritten);
        PublishSealed(ref segment.Header(position), header, next);
        CountSent(count);
        ReleaseLock();
    }
}
