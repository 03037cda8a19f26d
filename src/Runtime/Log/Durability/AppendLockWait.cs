using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Waits for the append lock while another participant holds it: spins, yields, then sleeps until its slot to look again
/// (<see cref="SlottedBackoff"/>). Takes it over from a dead holder, never from a living one.
/// </summary>
internal sealed class AppendLockWait<TMem>(
    ControlFile control, Participant self, QueueFiles files, string purpose = "append", string undone = "Nothing was enqueued.")
    where TMem : struct, ISharedMemory
{
    // Each yield lets another run, which perhaps waits, too, and yields: more of them keep the holder from its processor.
    private const int LongestSpin = MachineMemory.Spins + 4;

    // Who has slept has the slot for itself, and gives it up only where the lock is not to be had: its next one is far away in a crowd.
    private const int SlotSpin = 3 * LongestSpin;

    // A part of the shortest patience.
    private static readonly TimeSpan LongestUnshown = TimeSpan.FromMilliseconds(5);

    private readonly SharedWord<long> _appendLock = control.LockOwnerWord;

    /// <summary>Waits until this participant holds the append lock.</summary>
    /// <returns>
    /// false when a bounded wait is over and another participant still holds the append lock. After true,
    /// <paramref name="wasDead"/> says whether the lock was taken over from a dead participant, whose append the caller must repair.
    /// </returns>
    /// <exception cref="QueueStalledException">
    /// The same living participant has held the append lock for <see cref="WaitLimit.Stall"/>
    /// without an append or a sign that it works on one, and its process does not run, or gets no further for five seconds.
    /// </exception>
    /// <exception cref="QueueFailedException">A sync has failed, so that no process gets the append lock.</exception>
    /// <exception cref="OperationCanceledException">The limit's token was cancelled, and the append lock is another's.</exception>
    public bool TryAcquireLock(in WaitLimit limit, out bool wasDead, Action? meanwhile = null)
    {
        wasDead = false;
        long fencedBehind = 0;
        var watch = default(HolderWatch);
        int spins = control.AppendBackoff.IsCrowded ? 0 : LongestSpin;
        for (int round = 0; ; round++)
        {
            long holder = TMem.Load(ref _appendLock.Value);
            if (LockWord.IsBiased(holder) && !LockWord.IsRevoked(holder))
            {
                Revoke(holder);
                continue;
            }
            if (holder == 0 || (LockWord.IsBiased(holder) && IsGivenUp(holder, ref fencedBehind)))
            {
                if (TMem.CompareExchange(ref _appendLock.Value, self.OwnerWord, holder) == holder)
                {
                    EndBias(holder);
                    return true;
                }
                if (holder == 0)
                {
                    continue;
                }
            }
            if (holder == ControlFormat.ClosedLock)
            {
                throw SyncFailure.Refusal(control, files);
            }
            if (round < spins && TMem.TrySpin(round % LongestSpin))
            {
                continue;
            }
            // Whether it has slept already: in a crowd its next look is far away, and so is that of each of the others.
            bool hasSlept = spins == SlotSpin;
            bool hasMoved = watch.HasMoved(holder, TMem.Load(ref control.Tail) + TMem.Load(ref control.Progress)), isOver = limit.IsOver;
            if ((isOver || !hasMoved || hasSlept) && !self.IsAlive<TMem>(LockWord.OwnerOf(holder)))
            {
                if (TMem.CompareExchange(ref _appendLock.Value, self.OwnerWord, holder) == holder)
                {
                    return wasDead = true;
                }
            }
            else if (!hasMoved && watch.IsStalled(self, limit.Stall))
            {
                throw Stalled(holder, watch.Stood);
            }
            else if (isOver)
            {
                return false;
            }
            if (limit.Token.IsCancellationRequested)
            {
                throw new OperationCanceledException(
                    $"{files.Directory}: cancelled while it waited for the lock to {purpose}. {undone}", limit.Token);
            }
            meanwhile?.Invoke();
            TMem.Rest(control.AppendBackoff, LongestRest(in limit, meanwhile is not null), limit.Token);
            // Where the lock is in use, one moment is too few to find it free.
            (round, spins) = hasMoved ? (-1, SlotSpin) : (round, spins);
        }
    }

    // From now on the word of this bias is that of none, so where it appears by damage it lets no other in.
    private void EndBias(long word)
    {
        if (word != 0)
        {
            TMem.Write(ref control.GrantsWord(ControlFormat.ParticipantIndex(LockWord.OwnerOf(word))).Value, 0);
        }
    }

    private void Revoke(long biased)
    {
        if (TMem.CompareExchange(ref _appendLock.Value, LockWord.Revoke(biased), biased) == biased)
        {
            FailPoint.Reach(ProtocolStep.BiasRevoked);
        }
    }

    // Whether the thread with the revoked bias is outside for good. All who wait may find that out: none depends on who has revoked it.
    private bool IsGivenUp(long revoked, ref long fencedBehind)
    {
        if (fencedBehind != revoked)
        {
            // SYNC POINT append bias: from here on the thread sees that its bias is revoked, or is seen to be inside.
            TMem.RevokerFence();
            fencedBehind = revoked;
        }
        // SYNC POINT append bias: acquires the tail and the zero header at it.
        return control.IsOutside<TMem>(revoked);
    }

    // Who waits for no longer than a stall is to find it in time; and who holds other locks shows that it works on.
    private static TimeSpan LongestRest(in WaitLimit limit, bool showsWork)
    {
        TimeSpan left = limit.Left, longest = showsWork ? LongestUnshown : limit.Stall / 2;
        return left < longest ? left : longest;
    }

    /// <summary>Called with each exception for a caller that was refused.</summary>
    public Action<QueueStalledException>? Refused { get; init; }

    /// <summary>The exception for a caller that has waited so long for the same holder of the append lock; it is to be thrown.</summary>
    public QueueStalledException Stalled(long holder, TimeSpan waited)
    {
        long owner = LockWord.OwnerOf(holder);
        var stalled = new QueueStalledException(
            $"{files.Directory}: {self.Describe(owner)} has held the lock to {purpose} for {waited.TotalMilliseconds:0} ms and lives, but "
            + $"does not get on. It is stopped, suspended, in a debugger, or gets no processor; let it run, or end it. {undone}")
        { Path = files.Directory, ProcessId = self.ProcessOf(owner) };
        Refused?.Invoke(stalled);
        return stalled;
    }
}
