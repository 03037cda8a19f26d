using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    /// <summary>Takes messages without consuming them: as many as there are, at most so many. Never waits.</summary>
    /// <param name="leases">Receives the leases, in the messages' order, from its beginning; what is behind them stays as it is.</param>
    /// <returns>How many were taken; 0 when there is no message, at most 1 where the subscription is exclusive.</returns>
    /// <exception cref="QueueCorruptException">The next message is damaged, and none was taken before it.</exception>
    /// <exception cref="QueueException">2,047 messages of the subscription are leased already, and none could be taken.</exception>
    /// <exception cref="QueueFullException">
    /// Only messages are left that are to become dead letters, and the disk has no room for one. They are tried again once a second.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// Only such messages are left, and a process that does not run has delayed dead letters for
    /// <see cref="QueueOptions.StallTimeout"/>. They are tried again once a second.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public int TryReceive(Span<Lease<T>> leases)
    {
        DateTimeOffset began = QueueTracing.IsOn ? DateTimeOffset.UtcNow : default;
        int count = Take(leases);
        if (QueueTracing.IsOn && count > 0)
        {
            NoteReceived(leases[..count], began);
        }
        return count;
    }

    /// <summary>The same without a span for traces, because the handler's span follows.</summary>
    internal int Take(Span<Lease<T>> leases, CancellationToken cancellationToken = default)
    {
        using CallGate.Call call = _store.Gate.Enter();
        int count = 0;
        try
        {
            // An exclusive subscription has one open lease at a time.
            int most = _options.Exclusive ? Math.Min(leases.Length, 1) : leases.Length;
            while (count < most && TryTake(out Lease<T> lease, cancellationToken))
            {
                leases[count++] = lease;
            }
        }
        catch when (count > 0)
        {
            // What was taken is the caller's; the next call meets the same again.
        }
        // An earlier message may have been given back after a later one was taken.
        leases[..count].Sort(static (left, right) => left.Position.CompareTo(right.Position));
        return count;
    }

    /// <summary>Consumes the messages of several leases of this subscription, in whatever order they are given.</summary>
    /// <param name="leases">Any number.</param>
    /// <exception cref="InvalidOperationException">
    /// A lease has ended, and none was committed; or some ended during this call, and all others were committed.
    /// </exception>
    /// <exception cref="LeaseLostException">
    /// The same, because a lease lasted for too long and its message was given to another consumer.
    /// </exception>
    /// <exception cref="ArgumentException">A lease is another subscription's, or holds no message. None was committed.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public void Commit(ReadOnlySpan<Lease<T>> leases)
    {
        using CallGate.Call call = _store.Gate.Enter();
        _cursor.ThrowIfGone();
        for (int i = 0; i < leases.Length; i++)
        {
            RequireOwn(leases[i], i);
            if (!_leases.IsHeld(leases[i].Held))
            {
                _leases.Require(false, leases[i].Held, $"lease {i}", " None of them was committed.");
            }
        }
        int ended = 0, first = 0;
        for (int i = 0; i < leases.Length; i++)
        {
            if (!_leases.TryCommit(leases[i].Held))
            {
                first = ended++ == 0 ? i : first;
            }
        }
        if (ended > 0)
        {
            _leases.Require(
                false, leases[first].Held, $"lease {first}", $" It is the first of {ended} that had; all others were committed.");
        }
    }

    /// <summary>Takes and consumes several messages in one step: as many as there are, at most so many. Never waits.</summary>
    /// <param name="messages">
    /// Instances to fill, or nulls to get new ones, from its beginning. The content of those behind the messages that were taken may have
    /// changed too.
    /// </param>
    /// <returns>
    /// How many were taken; 0 when there is none. Messages that had not been given back before are taken all together, or none of them.
    /// </returns>
    /// <exception cref="QueueCorruptException">
    /// The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.
    /// </exception>
    /// <exception cref="QueueFullException">
    /// Only messages are left that are to become dead letters, and the disk has no room for one. They are tried again once a second.
    /// </exception>
    /// <exception cref="QueueStalledException">
    /// Only such messages are left, and a process that does not run has delayed dead letters for
    /// <see cref="QueueOptions.StallTimeout"/>. They are tried again once a second.
    /// </exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public int TryDequeue(Span<T?> messages)
    {
        using CallGate.Call call = _store.Gate.Enter();
        int count = QueueTracing.IsOn ? TryDequeueTraced(messages) : TryDequeueUntraced(messages);
        if (count == 0)
        {
            ThrowIfPutOff();
        }
        _given.Add(count);
        return count;
    }

    private int TryDequeueUntraced(Span<T?> messages)
    {
        if (!_cursor.HasLeases)
        {
            return TryDequeueRun(messages);
        }
        int count = TryDequeueBesideLeases(messages);
        return count == 0 && _store.Transactions.TryComplete() ? TryDequeueBesideLeases(messages) : count;
    }

    private int TryDequeueBesideLeases(Span<T?> messages)
    {
        if (_alone is not null)
        {
            return TryDequeueAlone(messages);
        }
        Join();
        int count = 0;
        try
        {
            // Messages that were given back come first. Each is taken by itself, because it stands in a cell.
            while (count < messages.Length && TryDequeueEarlier(ref messages[count], properties: null))
            {
                count++;
            }
            count += TryDequeueRun(messages[count..]);
        }
        catch when (count > 0)
        {
            // What was taken is the caller's; the next call meets the same again.
        }
        return count == 0 && messages.Length > 0 && TryDequeueEarlier(ref messages[0], properties: null, isNothingElse: true) ? 1 : count;
    }

    // All or nothing: the messages of the run are consumed by one move of next.
    private int TryDequeueRun(Span<T?> messages)
    {
        for (; ; )
        {
            if (messages.IsEmpty || !_cursor.TryFind(out RecordRef first))
            {
                return 0;
            }
            if (!TryUnpack(first, ref messages[0], properties: null))
            {
                continue;
            }
            RecordRef last = first;
            int count = 1;
            while (count < messages.Length && TryUnpackBehind(ref last, ref messages[count]))
            {
                count++;
            }
            if (_cursor.TryConsume(first with { After = last.After }))
            {
                return count;
            }
        }
    }

    // What cannot be read ends the run: the next call finds out whether it is damaged, or another consumer's already, or runs code that
    // throws. A message that is not to be delivered ends the run, too.
    private bool TryUnpackBehind(ref RecordRef last, ref T? message)
    {
        try
        {
            if (!_cursor.Reader.TryFind(SubscriptionFormat.NextWord(last.After, 0), out RecordRef found) || IsUndeliverable(found))
            {
                return false;
            }
            Unpack(found, ref message);
            last = found;
            return true;
        }
        catch
        {
            return false;
        }
    }

    private void RequireOwn(in Lease<T> lease, int index)
    {
        if (lease.Subscription != this)
        {
            throw new ArgumentException(
                lease.Subscription is null
                    ? $"Lease {index} holds no message. None was committed."
                    : $"Lease {index} is of the subscription '{lease.Subscription.Name}', or of another object of '{Name}'. None was "
                        + "committed.",
                "leases");
        }
    }
}
