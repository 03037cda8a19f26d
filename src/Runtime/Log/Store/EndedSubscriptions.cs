using BlitQueue.Memory;

namespace BlitQueue.Log;

/// <summary>
/// Removes subscriptions that have ended: ephemeral ones without a consumer, and those that had no consumer for as long as they may stay. A
/// process does so when it needs room, makes a segment, opens the queue, subscribes, or asks for the status. The kernel says which
/// consumers are dead.
/// </summary>
/// <remarks>
/// A new subscriber notes itself in the file, then checks whether the subscription may end. If so, it notes itself again under the <see
/// cref="MaintenanceLock"/>, which every removal takes, too. So no process can remove a subscription that another has just subscribed to:
/// see <see cref="SubscriptionAdmin.GetOrMake"/>.
/// </remarks>
/// <param name="store">The queue.</param>
/// <param name="isOff">Whether nothing is removed or noted, because the consumers come later.</param>
internal sealed class EndedSubscriptions(QueueStore store, bool isOff = false)
{
    // How long to wait for the lock when a handle leaves; if that fails, a later look removes what is left.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(1);

    private Func<SubscriptionFile, bool>? _isOver;

    /// <summary>
    /// Removes all subscriptions that have ended. Never waits: if another process is making or deleting a subscription, nothing is removed.
    /// </summary>
    /// <returns>Whether any was removed.</returns>
    public bool TryRemove() => Try(alone => store.Maintenance.TryWhile(alone));

    /// <summary>
    /// A consumer of this subscription has left. If it was the last one and the subscription is ephemeral, the subscription is removed.
    /// </summary>
    public void NoteLeft(SubscriptionFile file)
    {
        if (IsOver(file))
        {
            Try(alone => store.Maintenance.While(Patience, alone));
        }
    }

    /// <summary>The handle is being closed, so all its consumers leave.</summary>
    public void LeaveAll()
    {
        try
        {
            store.Subscriptions.WhileMapped(() =>
            {
                foreach (SubscriptionFile file in store.Subscriptions.All().Where(static file => file.MayEnd))
                {
                    file.NoteNoUser(store.Self);
                }
            });
            Try(alone => store.Maintenance.While(Patience, alone));
        }
        catch (QueueException)
        {
            // The directory was lost, or a file is damaged: the next opening tries again.
        }
    }

    /// <summary>The same for a caller that holds the maintenance lock.</summary>
    /// <returns>Whether any was removed.</returns>
    public bool RemoveAlone()
    {
        bool isAny = false;
        foreach (SubscriptionFile file in store.Subscriptions.All())
        {
            bool isEphemeral = file.IsEphemeral;
            if (IsOver(file) && file.TryEnd() && store.Subscriptions.Delete(file.Name))
            {
                isAny = true;
                if (!isEphemeral)
                {
                    MachineMemory.Increment(ref store.Control.ExpiredSubscriptions);
                }
            }
        }
        return isAny;
    }

    /// <summary>Notes that a subscription is about to get a message of its own, which counts as a use.</summary>
    /// <returns>false where it is over, though perhaps no process has removed it yet.</returns>
    public bool TryUse(SubscriptionFile file) => !IsOver(file) && file.TryNoteUse();

    private bool Try(Action<Action> whileAlone)
    {
        bool removed = false;
        try
        {
            if (!store.Subscriptions.IsAny(_isOver ??= IsOver))
            {
                return false;
            }
            store.Maintenance.InDirectory(() => whileAlone(() => removed = RemoveAlone()));
        }
        catch (QueueException)
        {
            // The directory was lost, a file is damaged, or the lock's holder is stopped: the caller goes on as if no subscription had
            // ended.
        }
        if (removed)
        {
            store.WakeDataSleepers();
            store.Allocator.DeletePassedInBackground();
        }
        return removed;
    }

    private bool IsOver(SubscriptionFile file)
    {
        if (isOff || !file.MayEnd || file.IsGone)
        {
            return false;
        }
        if (file.HasEnded)
        {
            return true;
        }
        if (!file.IsInUse(store.Self))
        {
            file.NoteIdle();
            if (!file.IsInUse(store.Self))
            {
                return file.IsEphemeral || file.IsExpired;
            }
        }
        file.TryNoteUse();
        return false;
    }
}
