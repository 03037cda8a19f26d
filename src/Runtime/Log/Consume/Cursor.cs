using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// The position of a subscription's consumers. A consumer reads a message, then takes and consumes it with one compare-exchange of the next
/// position. There is no lock, so a consumer that dies or stops in between delays no other and leaves nothing to repair.
/// </summary>
internal sealed partial class Cursor<TMem> : IDisposable
    where TMem : struct, ISharedMemory
{
    // A consumer that finds nothing may be in front of a record that was lost, which a comparison with the tail shows. But producers write
    // to the tail's cache line, so the tail is compared once for each position that is found empty, and then only once in so many looks.
    private const uint LooksPerComparison = 1024;

    private readonly SubscriptionFile _file;
    private readonly SegmentAllocator _allocator;
    private readonly ControlFile _control;
    private readonly EventCount _room;

    private readonly Lock _caching = new();

    // Words of the mapped files, stored here to save the indirections for every message.
    private readonly SharedWord<long> _sleepingWriters;
    private SharedWord<long> _next;
    private SharedWord<long> _leases;
    private uint _emptyLooks;
    private long _emptyAt;

    public Cursor(SubscriptionFile file, RecordReader<TMem> reader, SegmentAllocator allocator, ControlFile control)
    {
        (_file, _allocator, _control, _room, Reader) = (file, allocator, control, control.Room, reader);
        _sleepingWriters = control.Room.Word;
        file.WordsMoved += CacheWords;
        CacheWords();
    }

    public RecordReader<TMem> Reader { get; }

    /// <summary>Whether any message of the subscription may be leased or given back.</summary>
    public bool HasLeases
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TMem.Load(ref _leases.Value) != 0;
    }

    /// <summary>
    /// Finds the next message if it is a data record in the segment that is being read, and no lease has to be looked at: nearly always.
    /// </summary>
    /// <param name="nextWord">The subscription's next word; the message can be taken as long as the word does not change.</param>
    /// <param name="slot">The message's slot.</param>
    /// <param name="length">The message's length, bytes.</param>
    /// <returns>false if there is no message, or <see cref="TryFind"/> has to look.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFindData(out long nextWord, out RecordSlot slot, out int length)
    {
        nextWord = TMem.Load(ref _next.Value);
        if (HasLeases || !Reader.TryFindData(SubscriptionFormat.Position(nextWord), out slot, out length))
        {
            slot = default;
            length = 0;
            return false;
        }
        return true;
    }

    /// <summary>Finds the next message.</summary>
    /// <returns>false if there is none.</returns>
    /// <exception cref="QueueCorruptException">What stands there cannot be a record.</exception>
    public bool TryFind(out RecordRef found)
    {
        for (; ; )
        {
            long nextWord = TMem.Load(ref _file.Next);
            try
            {
                if (Reader.TryFind(nextWord, out found))
                {
                    FailPoint.Reach(ProtocolStep.DequeueFound);
                    return true;
                }
                if (found.Position > SubscriptionFormat.Position(nextWord))
                {
                    StepOverPadding(nextWord, found.Position);
                    continue;
                }
                if (IsEmptyAt(SubscriptionFormat.Position(nextWord)))
                {
                    return false;
                }
            }
            catch (QueueCorruptException) when (TMem.Load(ref _file.Next) != nextWord)
            {
                // Another consumer took the message in the meantime; its segment may be deleted.
                continue;
            }
            catch (QueueCorruptException damage)
            {
                ThrowIfGone();
                Reader.Met(damage);
                throw;
            }
        }
    }

    /// <summary>
    /// As <see cref="TryFind"/>, and checks that all records of the message are whole: for callers that take the message without reading
    /// it, and need to know where it ends.
    /// </summary>
    /// <exception cref="QueueCorruptException">What stands there cannot be a record, or is not the one that was published.</exception>
    public bool TryFindWhole(out RecordRef found)
    {
        while (TryFind(out found))
        {
            try
            {
                return Reader.IsWhole(found) ? true : throw Reader.Damaged(found.Position, RecordReader<TMem>.NotWhole);
            }
            catch (QueueCorruptException) when (!IsStillNext(found))
            {
                // Another consumer took the message in the meantime; its segments may be deleted, or used again as later ones.
            }
            catch (QueueCorruptException damage)
            {
                Reader.Met(damage);
                throw;
            }
        }
        return false;
    }

    /// <summary>Checks that the log really ends where no message was found. Called before a long wait.</summary>
    /// <exception cref="QueueCorruptException">The log goes on: a record was lost.</exception>
    public void CompareWithTail()
    {
        _emptyAt = 0;
        TryFind(out _);
    }

    private bool IsEmptyAt(long position)
    {
        if (position != _emptyAt || ++_emptyLooks % LooksPerComparison == 0)
        {
            if (!Reader.EndsAt(position))
            {
                return false;
            }
            _emptyAt = position;
        }
        return true;
    }

    /// <summary>
    /// Moves next over padding, to where the next message is or will be, so that padding does not count as bytes to consume.
    /// </summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void StepOverPadding(long nextWord, long position)
    {
        ConfirmClaim(nextWord);
        if (TMem.CompareExchange(ref _file.Next, SubscriptionFormat.NextWord(position, 0), nextWord) == nextWord)
        {
            Passed(position);
        }
    }

    /// <summary>Whether the message can still be taken.</summary>
    public bool IsStillNext(in RecordRef found) => TMem.Load(ref _file.Next) == found.NextWord;

    /// <summary>Whether the message could still be taken after it was read: a full fence orders the reading before this look.</summary>
    public bool WasStillNext(in RecordRef found) =>
        TMem.CompareExchange(ref _file.Next, found.NextWord, found.NextWord) == found.NextWord;

    /// <summary>Takes and consumes the found message, in one step.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    public bool TryConsume(in RecordRef found)
    {
        NoteLength(found);
        return TryConsume(found.NextWord, found.After);
    }

    /// <summary>Takes and consumes, in one step, what is between the next word that was read and a position behind it.</summary>
    /// <returns>false if another consumer has moved next.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryConsume(long nextWord, long after)
    {
        if (SubscriptionFormat.Cell(nextWord) != 0)
        {
            ConfirmClaim(nextWord);
        }
        // SYNC POINT next: publishes that everything before is handed out.
        if (TMem.CompareExchange(ref _file.Next, SubscriptionFormat.NextWord(after, 0), nextWord) != nextWord)
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.DequeueCommitted);
        Passed(after);
        return true;
    }

    /// <summary>Takes the found message into a lease cell.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    /// <param name="found">The message, which was still the next one after the caller took the cell.</param>
    /// <param name="cell">A cell without a message, which only the caller may change.</param>
    /// <param name="tag">The tag that the lease is to have.</param>
    /// <param name="now">The time of the delivery, milliseconds since the system's start.</param>
    public bool TryLease(in RecordRef found, int cell, int tag, long now)
    {
        ConfirmClaim(found.NextWord);
        NoteLength(found);
        long claim = SubscriptionFormat.MessageWord(found.Position, LeaseState.Claiming, tag);
        TMem.Store(ref _file.Delivery(cell), SubscriptionFormat.DeliveryWord(now, 1, tag));
        TMem.Store(ref _file.Message(cell), claim);
        FailPoint.Reach(ProtocolStep.LeaseClaimed);
        if (TMem.CompareExchange(ref _file.Next, SubscriptionFormat.NextWord(found.After, cell), found.NextWord) != found.NextWord)
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseTaken);
        TMem.CompareExchange(ref _file.Message(cell), SubscriptionFormat.InState(claim, LeaseState.Leased), claim);
        Passed(found.After);
        return true;
    }

    // Called before next passes the message's segments: afterwards they may be deleted.
    private void NoteLength(in RecordRef found)
    {
        if (found.IsInPieces)
        {
            _allocator.NoteLength(found.After - found.Position);
        }
    }

    /// <summary>
    /// Called after the lease of the message at a position has ended. If this lease alone held many segments, they are deleted now: perhaps
    /// no cursor leaves a segment for a long time, which is when segments are deleted otherwise.
    /// </summary>
    public void NoteEnded(long position)
    {
        if (Reader.IsInEarlierSegment(position, than: Position))
        {
            _allocator.DeleteManyPassedInBackground();
        }
    }

    /// <summary>As <see cref="SubscriptionFile.ConfirmClaim"/>.</summary>
    public void ConfirmClaim(long nextWord) => _file.ConfirmClaim<TMem>(nextWord);

    /// <summary>The subscription's next position.</summary>
    public long Position => SubscriptionFormat.Position(TMem.Load(ref _file.Next));

    /// <summary>Moves next to a position at which a message, or the log's end, is known to be. Leases stay as they are.</summary>
    /// <param name="position">The position.</param>
    /// <param name="onlyForward">
    /// If consumers have moved next further in the meantime, or the subscription is deleted, nothing changes.
    /// </param>
    /// <remarks>Afterwards next names no cell, so that no claim which failed in the meantime is taken for one that succeeded.</remarks>
    public void MoveTo(long position, bool onlyForward = false)
    {
        for (; ; )
        {
            long nextWord = TMem.Load(ref _file.Next);
            if (!onlyForward)
            {
                ThrowIfGone();
            }
            else if (SubscriptionFormat.Position(nextWord) >= position)
            {
                return;
            }
            ConfirmClaim(nextWord);
            // A seek forward leaves behind it what consumers leave: announced, it would have a sync begin anew for nothing, and for ever
            // where seeks to the newest message follow each other faster than the disk syncs.
            bool isBack = position < SubscriptionFormat.Position(nextWord);
            if (isBack)
            {
                _file.AnnounceSeek<TMem>(position);
            }
            // SYNC POINT next: as when a message is consumed.
            if (TMem.CompareExchange(ref _file.Next, SubscriptionFormat.NextWord(position, 0), nextWord) == nextWord)
            {
                if (isBack)
                {
                    _file.EndSeek<TMem>(position);
                }
                Passed(position);
                return;
            }
        }
    }

    /// <exception cref="QueueException">The subscription was deleted.</exception>
    public void ThrowIfGone()
    {
        if (_file.IsGone)
        {
            throw new QueueException(
                $"{_file.Directory}: the subscription '{_file.Name}' was deleted, or has ended with its last consumer. Nothing of it can "
                    + "be received or committed any more.")
            { Reason = QueueError.SubscriptionGone, Path = _file.Directory };
        }
    }

    /// <summary>
    /// Called after messages were consumed or leased up to a position: wakes producers that wait for room, and has passed segments deleted.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Passed(long position)
    {
        _room.NotifyWaiters<TMem>();
        if (Reader.LeaveBefore(position))
        {
            _allocator.DeletePassedInBackground();
        }
    }

    // Never replaces newer words by older ones.
    private void CacheWords()
    {
        lock (_caching)
        {
            (_next, _leases) = (_file.NextWord, _file.LeasesWord);
        }
    }

    public void Dispose()
    {
        _file.WordsMoved -= CacheWords;
        Reader.Dispose();
    }
}
