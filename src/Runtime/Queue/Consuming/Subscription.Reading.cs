using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    // Returns false if another consumer had the message before it was read, because then its bytes may be anything; and if its time was
    // over.
    private bool TryUnpack(in RecordRef found, [NotNullWhen(true)] ref T? message, MessageProperties? properties = null)
    {
        try
        {
            if (IsUndeliverable(found))
            {
                EndUndeliverable(found);
                return false;
            }
            Unpack(found, ref message, properties);
            FailPoint.Reach(ProtocolStep.DequeueUnpacked);
            return true;
        }
        catch (Exception exception) when (exception is PackException or QueueCorruptException)
        {
            return _cursor.IsStillNext(found) ? throw _cursor.Reader.Met(Corrupt(found, exception)) : false;
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void Unpack(in RecordRef found, [NotNull] ref T? message, MessageProperties? properties = null)
    {
        if (found.IsSplit)
        {
            UnpackSplit(found, ref message, properties);
            return;
        }
        var reader = new PackReader(_cursor.Reader.Payload(found));
        T.Unpack(ref reader, ref message);
        RequireMessage(message);
    }

    // null is never enqueued: if it is unpacked, the bytes are not those that were enqueued.
    internal static void RequireMessage([NotNull] T? message)
    {
        if (message is null)
        {
            throw new PackException("The bytes are those of null, which is no message", offset: 0);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void UnpackSplit(in RecordRef found, [NotNull] ref T? message, MessageProperties? properties)
    {
        if (found.HasProperties && properties is not null)
        {
            FillProperties(found, properties);
        }
        ScratchBytes? joined = null;
        try
        {
            var reader = new PackReader(_cursor.Reader.Message(found, out joined));
            T.Unpack(ref reader, ref message);
            RequireMessage(message);
        }
        finally
        {
            ((IDisposable?)joined)?.Dispose();
        }
    }

    private QueueCorruptException Corrupt(in RecordRef found, Exception cause)
    {
        if (cause is QueueCorruptException corrupt)
        {
            return corrupt;
        }
        PackException located = Locate(found, (PackException)cause);
        return _cursor.Reader.Damaged(found.Position, $"the message cannot be unpacked: {located.Message.TrimEnd('.')}", located);
    }

    // A split message is not put together again only to name the member.
    private PackException Locate(in RecordRef found, PackException cause) =>
        found.IsInPieces ? cause : cause.Locate(T.Schema, _cursor.Reader.Behind(found));

    // Returns null if the message and its properties are whole. An exception of the message's own code says nothing about its bytes.
    private QueueCorruptException? DamageOf(in RecordRef found)
    {
        try
        {
            if (found.HasProperties)
            {
                FillProperties(found, new MessageProperties());
            }
            T? message = default;
            Unpack(found, ref message);
        }
        catch (Exception exception) when (exception is PackException or QueueCorruptException)
        {
            return Corrupt(found, exception);
        }
        catch
        {
        }
        return null;
    }

    internal LeasedBytes OpenBytes(scoped in LeaseToken lease)
    {
        CallGate.LongCall stay = _store.Gate.EnterLong();
        ScratchBytes? joined = null;
        try
        {
            using Look look = LookAt(lease);
            RecordRef found = _cursor.Reader.At(lease.Position);
            ReadOnlySpan<byte> bytes = _cursor.Reader.Message(found, out joined);
            stay.Settle();
            return new LeasedBytes(stay, bytes, joined);
        }
        catch (Exception exception)
        {
            if (exception is QueueCorruptException damage && _leases.WasHeld(lease))
            {
                _cursor.Reader.Met(damage);
            }
            ((IDisposable?)joined)?.Dispose();
            stay.TryLeave();
            throw;
        }
    }

    /// <summary>Reads the next message without taking it, if there is one. Never waits.</summary>
    /// <param name="message">
    /// An instance to fill, or null to get a new one. Where false is returned its content may have changed.
    /// </param>
    /// <returns>
    /// false when there is none. When it returns true the message was the next one a moment ago: another consumer may take it at any time.
    /// </returns>
    /// <exception cref="QueueCorruptException">The next message is damaged. <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryPeek([NotNullWhen(true)] ref T? message)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return !_cursor.HasLeases
            ? TryPeekNext(ref message)
            : TryPeekBesideLeases(ref message) || (_store.Transactions.TryComplete() && TryPeekBesideLeases(ref message));
    }

    private bool TryPeekBesideLeases([NotNullWhen(true)] ref T? message) =>
        TryPeekGivenBack(includeDead: _alone is not null, ref message, out bool isDelayed)
        || (!isDelayed && TryPeekNext(ref message))
        || TryPeekGivenBack(includeDead: true, ref message, out _);

    private bool TryPeekNext([NotNullWhen(true)] ref T? message)
    {
        while (_cursor.TryFind(out RecordRef found))
        {
            if (TryUnpack(found, ref message, properties: null) && _cursor.WasStillNext(found))
            {
                return true;
            }
        }
        return false;
    }

    // Another consumer may take the message while it is read, and its segment may be used again: then this looks again.
    private bool TryPeekGivenBack(bool includeDead, [NotNullWhen(true)] ref T? message, out bool isDelayed)
    {
        long passed = 0;
        while (_leases.TryPeekOldest(includeDead, dueOnly: _alone is null, out LeaseCell oldest, behind: passed))
        {
            long position = oldest.Position;
            if (isDelayed = !_leases.IsOver(oldest.Due))
            {
                return false;
            }
            if (oldest.State == LeaseState.DeadLettering && DeadLetters.Contains(new QueuePosition(position)))
            {
                _file.EndDeadLetter<MachineMemory>(position, _store.Control);
                continue;
            }
            MakeDurable(position);
            try
            {
                // The consumer that takes it finds that it has expired, or used up its attempts, and goes on with what comes behind.
                if (Math.Min(oldest.Attempt + 1, SubscriptionFormat.MostAttempts) > _options.MaxAttempts
                    || IsUndeliverable(_cursor.Reader.At(position)))
                {
                    passed = position;
                    continue;
                }
                UnpackLeased(new LeaseToken(oldest.Number, oldest.Message, Attempt: 0), ref message);
                if (_leases.StillSays(oldest.Number, oldest.Message))
                {
                    return true;
                }
            }
            catch (QueueCorruptException) when (!_leases.StillSays(oldest.Number, oldest.Message))
            {
                // The bytes are another message's by now.
            }
        }
        isDelayed = false;
        return false;
    }
}
