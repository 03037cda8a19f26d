using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Knows which objects of this handle have subscribed, which of those consume, and whether a consumer in any process consumes alone. It is
/// asked when a consumer comes, not for each message. A subscription is in use, and stays, as soon as somebody has subscribed; others may
/// still consume alone until that one looks for messages.
/// </summary>
/// <remarks>
/// SYNC POINT alone: a consumer that wants to be alone writes the owner word, fences and looks for others; one that consumes beside others
/// notes that it does, fences and looks at the owner word. So of two that come at once, at least one sees the other.
/// </remarks>
internal sealed class ConsumerRegistry(SubscriptionFile file)
{
    private readonly Lock _sync = new();
    private readonly HashSet<object> _seated = [];
    private readonly HashSet<object> _consumers = [];

    /// <summary>Notes that an object has subscribed.</summary>
    public void Sit(object consumer, Participant self)
    {
        lock (_sync)
        {
            _seated.Add(consumer);
            Note(self);
            // This is a fence, too: next the caller looks whether the subscription may end.
            file.TryNoteUse();
        }
    }

    /// <summary>Admits a consumer beside others; does nothing for one that was admitted before.</summary>
    /// <exception cref="QueueException">Another consumer consumes alone.</exception>
    public void Join(object consumer, Participant self)
    {
        lock (_sync)
        {
            if (_consumers.Contains(consumer))
            {
                return;
            }
            file.NoteConsumer(self);
            long owner = MachineMemory.CompareExchange(ref file.Exclusive, 0, 0);
            if (owner != 0 && self.IsAlive<MachineMemory>(owner))
            {
                Note(self);
                throw InUse(self, owner, "is consumed exclusively by");
            }
            _consumers.Add(consumer);
            file.TryNoteUse();
        }
    }

    /// <summary>Admits a consumer that wants to be the only one.</summary>
    /// <exception cref="QueueException">Another consumer consumes, or holds leases.</exception>
    public void Claim(object consumer, Participant self)
    {
        lock (_sync)
        {
            TakeOwnership(self);
            FailPoint.Reach(ProtocolStep.SubscriptionClaimed);
            long other = _consumers.Any(one => one != consumer) ? self.OwnerWord
                : file.LiveConsumers(self).FirstOrDefault(owner => owner != self.OwnerWord) is var found and not 0 ? found
                : LiveHolder(self);
            if (other != 0)
            {
                MachineMemory.Store(ref file.Exclusive, 0);
                throw InUse(self, other, "cannot be consumed exclusively: it is consumed, or its messages are leased, by");
            }
            file.NoteConsumer(self);
            _consumers.Add(consumer);
            file.TryNoteUse();
        }
    }

    /// <summary>Notes that an object which had subscribed, or consumed, no longer does.</summary>
    public void Leave(object consumer, Participant self)
    {
        lock (_sync)
        {
            bool wasSeated = _seated.Remove(consumer);
            if (_consumers.Remove(consumer))
            {
                MachineMemory.CompareExchange(ref file.Exclusive, 0, self.OwnerWord);
            }
            else if (!wasSeated)
            {
                return;
            }
            Note(self);
        }
    }

    private void Note(Participant self)
    {
        if (_consumers.Count > 0)
        {
            file.NoteConsumer(self);
        }
        else if (_seated.Count > 0)
        {
            file.NoteSubscriber(self);
        }
        else
        {
            file.NoteNoUser(self);
        }
    }

    private void TakeOwnership(Participant self)
    {
        for (; ; )
        {
            long owner = MachineMemory.Load(ref file.Exclusive);
            if (owner != 0 && self.IsAlive<MachineMemory>(owner))
            {
                throw InUse(self, owner, "is consumed exclusively by");
            }
            if (MachineMemory.CompareExchange(ref file.Exclusive, self.OwnerWord, owner) == owner)
            {
                return;
            }
        }
    }

    // Leases stay when the object that took them is disposed.
    private long LiveHolder(Participant self) => Enumerable.Range(1, SubscriptionFormat.Cells)
        .Select(cell => file.Look<MachineMemory>(cell).Holder).Distinct()
        .FirstOrDefault(owner => owner != 0 && self.IsAlive<MachineMemory>(owner));

    private QueueException InUse(Participant self, long owner, string how) => new(
        $"{file.Directory}: the subscription '{file.Name}' {how} "
        + $"{(owner == self.OwnerWord ? "this process, through the same handle" : self.Describe(owner))}. Dispose what consumes there, end "
        + "its leases, or wait until the process ends.")
    { Reason = QueueError.InUse, Path = file.Directory, ProcessId = self.ProcessOf(owner) };
}
