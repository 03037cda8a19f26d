using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// How long the subscription lasts: for ever, as long as a process uses it, or until none has used it for some time. The time counts from
/// when a process first noticed that none uses it, so that a subscription does not expire at the first look after a long time.
/// </summary>
internal sealed partial class SubscriptionFile
{
    // What the word says, instead of a time, from when a process has decided that the subscription has ended: as if none had ever used it.
    private const long Ended = 1;

    private ref long Idle => ref _region.Word(SubscriptionFormat.IdleOffset);

    private ref long IdleMilliseconds => ref _region.Word(SubscriptionFormat.IdleMillisecondsOffset);

    private ref long IdleBoot => ref _region.Word(SubscriptionFormat.IdleBootOffset);

    private ref long ExpiresAfterTicks => ref _region.Word(SubscriptionFormat.ExpiresAfterOffset);

    /// <summary>Whether the subscription ends with its last consumer.</summary>
    public bool IsEphemeral => MachineMemory.Load(ref _region.Word(SubscriptionFormat.EphemeralOffset)) != 0;

    /// <summary>How long the subscription stays without a consumer; null = for ever.</summary>
    public TimeSpan? ExpiresAfter
    {
        get => MachineMemory.Load(ref ExpiresAfterTicks) is var ticks and > 0 ? TimeSpan.FromTicks(ticks) : null;
        set => MachineMemory.Store(ref ExpiresAfterTicks, value?.Ticks ?? 0);
    }

    /// <summary>Whether the subscription may end without being deleted by anybody.</summary>
    public bool MayEnd => IsEphemeral || ExpiresAfter is not null;

    /// <summary>When a process noticed that none uses the subscription, UTC; null where one uses it, or none has looked.</summary>
    public DateTime? IdleSince => TimeOf(MachineMemory.Load(ref Idle));

    private static DateTime? TimeOf(long noted) =>
        noted > Ended && noted <= DateTime.MaxValue.Ticks ? new DateTime(noted, DateTimeKind.Utc) : null;

    /// <summary>Whether no process has used the subscription for as long as it may be unused.</summary>
    public bool IsExpired => IsExpiredSince(MachineMemory.Load(ref Idle));

    private bool IsExpiredSince(long noted) => TimeOf(noted) is { } since && ExpiresAfter is { } longest && IdleFor(since) >= longest;

    // The smaller of two clocks while the system runs: so neither a clock that somebody sets nor the time that the system slept makes it
    // expire early.
    private TimeSpan IdleFor(DateTime since)
    {
        TimeSpan told = DateTime.UtcNow - since;
        if (MachineMemory.Load(ref IdleBoot) != ThisBoot)
        {
            return told;
        }
        double counted = MachineMemory.Milliseconds - MachineMemory.Load(ref IdleMilliseconds);
        return told.TotalMilliseconds < counted ? told : TimeSpan.FromMilliseconds(counted);
    }

    /// <summary>
    /// Takes back the note that no consumer uses the subscription. Its consumers call it after they have noted themselves, and so does a
    /// process that has seen one.
    /// </summary>
    /// <returns>false where the subscription has ended.</returns>
    public bool TryNoteUse()
    {
        // SYNC POINT idle: a process that notes that none uses the subscription exchanges this word and looks for users once more. So
        // either it sees this user, or this user sees the note, and takes it back.
        for (long noted = MachineMemory.CompareExchange(ref Idle, 0, 0); noted != 0;)
        {
            if (noted == Ended)
            {
                return false;
            }
            noted = MachineMemory.CompareExchange(ref Idle, 0, noted) is var now && now == noted ? 0 : now;
        }
        return !IsGone;
    }

    /// <summary>Whether a process has decided that the subscription has ended. It, or another one, removes it.</summary>
    public bool HasEnded => MachineMemory.Load(ref Idle) == Ended;

    /// <summary>Decides that the subscription has ended. The caller has found that it may, and holds the maintenance lock.</summary>
    /// <returns>false where it was used meanwhile: this word alone decides between the use and the end.</returns>
    public bool TryEnd()
    {
        long noted = MachineMemory.Load(ref Idle);
        if (noted != Ended && (noted == 0 || !(IsEphemeral || IsExpiredSince(noted))
            || MachineMemory.CompareExchange(ref Idle, Ended, noted) != noted))
        {
            return false;
        }
        FailPoint.Reach(ProtocolStep.SubscriptionEnded);
        return true;
    }

    /// <summary>
    /// Notes that no process uses the subscription from now on, unless that is noted already. The caller looks for users once more.
    /// </summary>
    public void NoteIdle()
    {
        if (MachineMemory.Load(ref Idle) == 0)
        {
            MachineMemory.Store(ref IdleMilliseconds, MachineMemory.Milliseconds);
            MachineMemory.Store(ref IdleBoot, ThisBoot);
            // SYNC POINT idle: publishes the two words above.
            MachineMemory.CompareExchange(ref Idle, DateTime.UtcNow.Ticks, 0);
        }
    }

    /// <summary>Notes that a participant looks for messages here.</summary>
    public void NoteConsumer(Participant self) => NoteUser(self, ControlFormat.Incarnation(self.OwnerWord));

    /// <summary>Notes that a participant has subscribed, and does not look for messages.</summary>
    public void NoteSubscriber(Participant self)
        => NoteUser(self, ControlFormat.Incarnation(self.OwnerWord) | SubscriptionFormat.SeatedMark);

    /// <summary>Notes that a participant uses the subscription no longer.</summary>
    public void NoteNoUser(Participant self) => NoteUser(self, 0);

    private void NoteUser(Participant self, uint word) => MachineMemory.Store(ref User(self.Index), (int)word);
}
