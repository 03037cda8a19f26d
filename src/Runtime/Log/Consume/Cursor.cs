using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Where a subscription's consumers are. A message is taken and consumed by one compare-exchange of the next position, after it was read:
/// no lock, so a consumer that dies or stops in between holds nobody back and leaves nothing to repair.
/// </summary>
internal sealed partial class Cursor<TMem> : IDisposable
    where TMem : struct, ISharedMemory
{
    // A consumer that finds nothing may stand before a record that was lost. The tail tells; but producers write to its cache line, so it
    // is read once for each place that is found empty, and then only now and then.
    private const uint LooksPerComparison = 1024;

    private readonly SubscriptionFile _file;
    private readonly SegmentAllocator _allocator;
    private readonly ControlFile _control;
    private readonly EventCount _room;

    private readonly Lock _caching = new();

    // The files', kept here: each step on the way to them is taken with every message.
    private readonly SharedWord<int> _sleepingWriters;
    private SharedWord<long> _next;
    private SharedWord<long> _leases;
    private uint _emptyLooks;
    private long _emptyAt;

    public Cursor(SubscriptionFile file, RecordReader<TMem> reader, SegmentAllocator allocator, ControlFile control)
    {
        (_file, _allocator, _control, _room, Reader) = (file, allocator, control, control.Room, reader);
        _sleepingWriters = control.Room.Sleepers;
        file.WordsMoved += CacheWords;
        CacheWords();
    }

    public RecordReader<TMem> Reader { get; }

    /// <summary>Whether some message of the subscription may be leased or given back.</summary>
    public bool HasLeases
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TMem.Load(ref _leases.Value) != 0;
    }

    /// <summary>
    /// Finds the next message where that is a plain record in the segment that is being read, and no
    /// lease asks for more care: nearly always.
    /// </summary>
    /// <param name="nextWord">The subscription's next word; the message can be taken as long as it stays so.</param>
    /// <param name="slot">Where the message is.</param>
    /// <param name="length">Its bytes.</param>
    /// <returns>false when it is another case, or none.</returns>
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
    /// <returns>false when there is none.</returns>
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
                // Another consumer took the message while this one looked; its segment may be gone.
                continue;
            }
            catch (QueueCorruptException) when (_file.IsGone)
            {
                ThrowIfGone();
                throw;
            }
        }
    }

    /// <summary>
    /// As <see cref="TryFind"/>, and checks that all records of the message are whole: for callers that take it without reading it, which
    /// do not learn otherwise where it ends.
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
                // Another consumer took the message while this one looked; its segments may be gone, or be later ones by now.
            }
        }
        return false;
    }

    /// <summary>Where nothing is found, the log ends; for those who are about to wait for long.</summary>
    /// <exception cref="QueueCorruptException">It does not: a record was lost.</exception>
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

    /// <summary>Next goes to where the next message is or will be, so that padding does not count as waiting to be consumed.</summary>
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

    /// <summary>Whether the message could still be taken after it was read: with a full fence, which orders the reading before.</summary>
    public bool WasStillNext(in RecordRef found) =>
        TMem.CompareExchange(ref _file.Next, found.NextWord, found.NextWord) == found.NextWord;

    /// <summary>Takes and consumes the message that was found, in one step.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    public bool TryConsume(in RecordRef found)
    {
        NoteLength(found);
        return TryConsume(found.NextWord, found.After);
    }

    /// <summary>Takes and consumes what is between next, as it was seen, and a position behind it, in one step.</summary>
    /// <returns>false when another consumer has moved next.</returns>
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

    /// <summary>Takes the message that was found into a lease cell.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    /// <param name="found">The message, which was still the next one after the cell was taken.</param>
    /// <param name="cell">A cell without a message, which nobody but the caller changes.</param>
    /// <param name="tag">The tag that the lease is to have.</param>
    public bool TryLease(in RecordRef found, int cell, int tag)
    {
        ConfirmClaim(found.NextWord);
        NoteLength(found);
        long claim = SubscriptionFormat.MessageWord(found.Position, LeaseState.Claiming, tag);
        TMem.Store(ref _file.Delivery(cell), SubscriptionFormat.DeliveryWord(TMem.Milliseconds, 1, tag));
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

    // Before its segments are passed, and would be deleted.
    private void NoteLength(in RecordRef found)
    {
        if (found.IsInPieces)
        {
            _allocator.NoteLength(found.After - found.Position);
        }
    }

    /// <summary>
    /// After the lease of the message at a position has ended: if it alone held many segments back, they are deleted now, because perhaps
    /// no cursor leaves a segment for long.
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

    /// <summary>Goes to a position at which a message, or the log's end, is known to be. Leases stay.</summary>
    /// <param name="position">Where to.</param>
    /// <param name="onlyForward">
    /// Consumers that have come further meanwhile stay where they are, and so does a deleted subscription.
    /// </param>
    /// <remarks>Next never names a cell afterwards, so no claim that failed meanwhile is taken for one that succeeded.</remarks>
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
                $"The subscription '{_file.Name}' was deleted, or has ended with its last consumer. Nothing of it can be received or "
                    + "committed any more.");
        }
    }

    /// <summary>After messages were consumed or leased up to here: wakes producers that wait for room, lets passed segments go.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Passed(long position)
    {
        _room.NotifyWaiters<TMem>();
        if (Reader.LeaveBefore(position))
        {
            _allocator.DeletePassedInBackground();
        }
    }

    // Never older ones over newer ones.
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
