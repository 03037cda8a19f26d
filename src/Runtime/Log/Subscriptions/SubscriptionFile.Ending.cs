using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// How long the subscription lasts: for ever, as long as somebody uses it, or until nobody has used it for some time. The time counts from
/// when a process first noticed that nobody does, so that what nobody looked at does not expire at the first look.
/// </summary>
internal sealed partial class SubscriptionFile
{
    private ref long Idle => ref _region.Word(SubscriptionFormat.IdleOffset);

    private ref long IdleMilliseconds => ref _region.Word(SubscriptionFormat.IdleMillisecondsOffset);

    private ref long IdleBoot => ref _region.Word(SubscriptionFormat.IdleBootOffset);

    private ref long ExpiresAfterTicks => ref _region.Word(SubscriptionFormat.ExpiresAfterOffset);

    /// <summary>Whether it goes with its last consumer.</summary>
    public bool IsEphemeral => MachineMemory.Load(ref _region.Word(SubscriptionFormat.EphemeralOffset)) != 0;

    /// <summary>How long it stays without a consumer; null = for ever.</summary>
    public TimeSpan? ExpiresAfter
    {
        get => MachineMemory.Load(ref ExpiresAfterTicks) is var ticks and > 0 ? TimeSpan.FromTicks(ticks) : null;
        set => MachineMemory.Store(ref ExpiresAfterTicks, value?.Ticks ?? 0);
    }

    /// <summary>Whether it goes without being deleted.</summary>
    public bool MayEnd => IsEphemeral || ExpiresAfter is not null;

    /// <summary>Since when nobody uses it, UTC, as far as anybody has noticed; null where somebody does, or nobody has looked.</summary>
    public DateTime? IdleSince => MachineMemory.Load(ref Idle) is var ticks and > 0 && ticks <= DateTime.MaxValue.Ticks
        ? new DateTime(ticks, DateTimeKind.Utc) : null;

    /// <summary>Whether nobody has used it for as long as it may stay so.</summary>
    public bool IsExpired => IdleSince is { } since && ExpiresAfter is { } longest && IdleFor(since) >= longest;

    // Two clocks, as long as the system runs: neither that people set nor that of a system that slept makes it expire early.
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

    /// <summary>Called by who has noted that it uses the subscription, and by who has seen one.</summary>
    public void NoteUse()
    {
        // SYNC POINT idle: a process that notes that nobody uses it exchanges this word and looks for users once more. So either this one
        // is seen, or it sees the note, and takes it back.
        for (long noted = MachineMemory.CompareExchange(ref Idle, 0, 0); noted != 0;)
        {
            noted = MachineMemory.CompareExchange(ref Idle, 0, noted) is var now && now == noted ? 0 : now;
        }
    }

    /// <summary>Notes that nobody uses it from now on, unless that is noted. The caller looks for users once more.</summary>
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
