using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue.Segments;

/// <summary>
/// Where a subscription's consumers are. A message is taken and consumed by one compare-exchange of the next position, after it was read:
/// no lock, so a consumer that dies or stops in between holds nobody back and leaves nothing to repair.
/// </summary>
internal sealed class Cursor<TMem>(
    SubscriptionFile file, RecordReader<TMem> reader, SegmentKeeper keeper, ControlFile control) : IDisposable
    where TMem : struct, ISharedMemory
{
    public RecordReader<TMem> Reader { get; } = reader;

    /// <summary>A cursor of an open queue's subscription, with a reader of its own.</summary>
    /// <param name="store">The queue.</param>
    /// <param name="file">The subscription.</param>
    /// <param name="entering">As for the reader.</param>
    public static Cursor<TMem> Of(QueueStore store, SubscriptionFile file, Action? entering = null) =>
        new(file, new RecordReader<TMem>(store.Table, store.Meta, entering), store.Keeper, store.Control);

    /// <summary>Whether some message of the subscription may be leased or given back.</summary>
    public bool HasLeases
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => TMem.Load(ref file.Leases) != 0;
    }

    /// <summary>Finds the next message.</summary>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">What stands there cannot be a record.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryFind(out FoundRecord found)
    {
        for (;;)
        {
            long nextWord = TMem.Load(ref file.Next);
            try
            {
                if (!Reader.TryFind(nextWord, out found))
                {
                    if (found.Position > SubscriptionFormat.Position(nextWord))
                    {
                        StepOverPadding(nextWord, found.Position);
                    }
                    return false;
                }
            }
            catch (QueueCorruptException) when (TMem.Load(ref file.Next) != nextWord)
            {
                // Another consumer took the message while this one looked; its segment may be gone.
                continue;
            }
            catch (QueueCorruptException) when (file.IsGone)
            {
                ThrowIfGone();
                throw;
            }
            FailPoint.Reach(ProtocolStep.DequeueFound);
            return true;
        }
    }

    /// <summary>Next goes to where the next message is or will be, so that padding does not count as waiting to be consumed.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void StepOverPadding(long nextWord, long position)
    {
        ConfirmClaim(nextWord);
        if (TMem.CompareExchange(ref file.Next, SubscriptionFormat.NextWord(position, 0), nextWord) == nextWord)
        {
            Passed(position);
        }
    }

    /// <summary>Whether the message can still be taken.</summary>
    public bool IsStillNext(in FoundRecord found) => TMem.Load(ref file.Next) == found.NextWord;

    /// <summary>Takes and consumes the message that was found, in one step.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public bool TryConsume(in FoundRecord found)
    {
        if (SubscriptionFormat.Cell(found.NextWord) != 0)
        {
            ConfirmClaim(found.NextWord);
        }
        // SYNC POINT next: publishes that everything before is handed out.
        if (TMem.CompareExchange(ref file.Next, SubscriptionFormat.NextWord(found.After, 0), found.NextWord) != found.NextWord)
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.DequeueCommitted);
        Passed(found.After);
        return true;
    }

    /// <summary>Takes the message that was found into a lease cell.</summary>
    /// <returns>false when another consumer has taken it.</returns>
    public bool TryLease(in FoundRecord found, int cell)
    {
        ConfirmClaim(found.NextWord);
        long claim = SubscriptionFormat.MessageWord(found.Position, LeaseState.Claiming);
        TMem.Store(ref file.Attempt(cell), 1);
        TMem.Store(ref file.LeasedAt(cell), Environment.TickCount64);
        TMem.Store(ref file.Message(cell), claim);
        FailPoint.Reach(ProtocolStep.LeaseClaimed);
        if (TMem.CompareExchange(ref file.Next, SubscriptionFormat.NextWord(found.After, cell), found.NextWord) != found.NextWord)
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.LeaseTaken);
        TMem.CompareExchange(ref file.Message(cell), SubscriptionFormat.MessageWord(found.Position, LeaseState.Leased), claim);
        Passed(found.After);
        return true;
    }

    /// <summary>
    /// Makes the claim of the consumer that moved next to where it is a lease, before next moves on and no longer names its cell.
    /// </summary>
    /// <remarks>
    /// A claim has succeeded exactly when next names its cell and is behind its message: a later claim of the same cell is at next or
    /// behind it. Positions are never used twice, so a late helper cannot hit a later claim.
    /// </remarks>
    public void ConfirmClaim(long nextWord)
    {
        int cell = SubscriptionFormat.Cell(nextWord);
        if (cell == 0)
        {
            return;
        }
        long message = TMem.Load(ref file.Message(cell));
        if (SubscriptionFormat.State(message) == LeaseState.Claiming
            && SubscriptionFormat.MessagePosition(message) < SubscriptionFormat.Position(nextWord))
        {
            long leased = SubscriptionFormat.MessageWord(SubscriptionFormat.MessagePosition(message), LeaseState.Leased);
            TMem.CompareExchange(ref file.Message(cell), leased, message);
        }
    }

    /// <summary>The subscription's next position.</summary>
    public long Position => SubscriptionFormat.Position(TMem.Load(ref file.Next));

    /// <summary>Goes to a position at which a message, or the log's end, is known to be. Leases stay.</summary>
    /// <remarks>Next never names a cell afterwards, so no claim that failed meanwhile is taken for one that succeeded.</remarks>
    public void MoveTo(long position)
    {
        for (;;)
        {
            long nextWord = TMem.Load(ref file.Next);
            ThrowIfGone();
            ConfirmClaim(nextWord);
            // SYNC POINT next: as when a message is consumed.
            if (TMem.CompareExchange(ref file.Next, SubscriptionFormat.NextWord(position, 0), nextWord) == nextWord)
            {
                Passed(position);
                return;
            }
        }
    }

    /// <exception cref="QueueException">The subscription was deleted.</exception>
    public void ThrowIfGone()
    {
        if (file.IsGone)
        {
            throw new QueueException($"The subscription '{file.Name}' was deleted. Nothing of it can be received or committed any more.");
        }
    }

    /// <summary>After messages were consumed or leased up to here: wakes producers that wait for room, lets passed segments go.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Passed(long position)
    {
        control.Room.WakeSleepers<TMem>();
        if (Reader.LeaveBefore(position))
        {
            keeper.DeletePassedInBackground();
        }
    }

    public void Dispose() => Reader.Dispose();
}
