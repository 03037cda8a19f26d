using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    private const string ExpiredReason = "expired";

    // After the dead letter of one message could not be written, because the disk was full or a process was stopped while it appended a
    // letter or opened the letters: how long those behind it are delivered before letters are tried again. Much longer than it takes to put
    // off as many messages as there are leases, and than the attempt waits for a stopped process.
    private static readonly TimeSpan LetterRetry = TimeSpan.FromSeconds(1);

    // What messages whose dead letters could not be written wait for.
    private PutOffLetter? _putOff;

    // Smallest: the length of the shortest message that found no room, bytes. Shorter ones are tried all the same. First: when another
    // process began to delay letters, a timestamp. LettersEnd: where the letters ended then; null where they were not open. Lease: that of
    // the message whose letter could not be written.
    private sealed record PutOffLetter(
        QueueException Obstacle, long Due, long Smallest, long First, QueuePosition? LettersEnd, LeaseToken Lease);

    // Whether the message's time is over, or it is for another subscription alone. Asked before the record's check, so that a message in
    // time is checked only once; a message that is to be dropped unseen is checked then.
    private bool IsUndeliverable(in RecordRef found) =>
        found.HasProperties
        && _cursor.Reader.TryReadProperties(found, out PropertyBlock block)
        && (IsOver(block) || IsForAnother(block))
        && _cursor.Reader.IsWhole(found);

    private bool IsOver(in PropertyBlock block) =>
        block.TryGetTicks(PropertyKinds.ExpiresAt, out long expiresAt) && expiresAt <= _store.Clock.UtcNow.Ticks;

    private bool IsForAnother(in PropertyBlock block) =>
        block.TryGetBytes(PropertyKinds.OnlyFor, out ReadOnlySpan<byte> name) && !Ascii.Equals(name, Name);

    private bool IsForAnother(in RecordRef found) =>
        found.HasProperties && _cursor.Reader.TryReadProperties(found, out PropertyBlock block) && IsForAnother(block);

    // Does nothing where another consumer has taken it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void EndUndeliverable(in RecordRef found)
    {
        if (IsForAnother(found))
        {
            _cursor.TryConsume(found);
        }
        else if (_options.OnExpired == ExpiredMode.DeadLetter)
        {
            if (_leases.TryTake(found, out LeaseToken lease))
            {
                EndUndeliverable(lease);
            }
        }
        else if (_cursor.TryConsume(found))
        {
            MachineMemory.Increment(ref _file.Expired);
        }
    }

    private bool EndIfUndeliverable(in LeaseToken lease, CancellationToken cancellationToken)
    {
        // A message given back may have had its time while it was held, and may count as never delivered; one from the log says whether it
        // can expire.
        if (!lease.HasProperties)
        {
            return false;
        }
        try
        {
            if (!IsUndeliverable(_cursor.Reader.At(lease.Position)))
            {
                return false;
            }
        }
        catch (Exception exception) when (!TryGiveBackAfter(exception, lease))
        {
            // A message that could not be given back is another consumer's by now.
            return true;
        }
        EndUndeliverable(lease, cancellationToken);
        return true;
    }

    private void EndUndeliverable(in LeaseToken lease, CancellationToken cancellationToken = default)
    {
        if (IsForAnother(_cursor.Reader.At(lease.Position)))
        {
            _leases.TryCommit(lease);
        }
        else if (_options.OnExpired == ExpiredMode.DeadLetter
            ? TryBuryUndelivered(lease, ExpiredReason, cancellationToken)
            : _leases.TryCommit(lease))
        {
            MachineMemory.Increment(ref _file.Expired);
        }
    }

    private static Func<long>? LimitOf(QueueStore store, SubscriptionOptions options)
    {
        if (!options.DurableOnly)
        {
            return null;
        }
        store.Sync.Log.AskForWakeUps();
        return () => store.Sync.Log.Durable;
    }

    // Another handle of this subscription, which also takes messages that are not durable, may have given the message back: then it is made
    // durable now.
    private void MakeDurable(long position)
    {
        if (_options.DurableOnly && position >= _store.Sync.Log.Durable)
        {
            _store.Sync.Wait();
        }
    }

    internal void MoveToDeadLetters(
        in LeaseToken lease, string reason, int? attempts = null, CancellationToken cancellationToken = default, bool isPatient = true)
    {
        using CallGate.Call call = _store.Gate.Enter();
        // The message is not unpacked: one that cannot be unpacked is set aside for that very reason.
        using LeasedBytes bytes = OpenBytes(lease);
        var letter = DeadLetter<T>.Of(
            bytes.Span, reason, new QueuePosition(lease.Position), attempts ?? lease.Attempt, _store.Clock.UtcNow);
        DeadLetterQueue<T> letters = _deadLetters.Of(Name, cancellationToken, isPatient);
        _leases.Require(_leases.TryBeginDeadLetter(lease), lease);
        bool isThere = false;
        try
        {
            letters.Add(letter, PropertiesOf(lease), cancellationToken, isPatient);
            isThere = true;
            letters.Secure();
        }
        finally
        {
            EndDeadLetter(lease, isThere);
        }
    }

    // Whether the message is a dead letter already, although its holder died, or a recovery came, before the lease ended. If this throws,
    // the caller gives the message back, and the next consumer asks again.
    private bool WasDeadLettered(in LeaseToken lease, CancellationToken cancellationToken = default) =>
        lease.WasBeingDeadLettered
        && EndDeadLetter(
            lease, _deadLetters.Of(Name, cancellationToken, isPatient: _options.Exclusive).Contains(new QueuePosition(lease.Position)));

    // Consumes the message if its letter is there; otherwise leases it as before. Leasing fails if a consumer has taken the letter
    // meanwhile, because that consumer consumes the message first: so in that case, too, the letter was there.
    private bool EndDeadLetter(in LeaseToken lease, bool isThere)
    {
        if (isThere)
        {
            _file.EndDeadLetter<MachineMemory>(lease.Position, _store.Control);
        }
        return !_leases.TryCancelDeadLetter(lease);
    }

    // Makes a message that was taken and not delivered a dead letter; this attempt does not count. Returns false if another consumer has it
    // by now, or if it was put off.
    private bool TryBuryUndelivered(in LeaseToken lease, string reason, CancellationToken cancellationToken)
    {
        // Before the lease ends: afterwards other messages may be there.
        long length = _putOff is null ? 0 : LengthOf(lease);
        if (WaitingLetter is { } waiting && length >= waiting.Smallest)
        {
            PutOff(lease, waiting.Obstacle, length);
            return false;
        }
        try
        {
            MoveToDeadLetters(lease, reason, lease.Attempt - 1, cancellationToken, isPatient: _options.Exclusive);
            if (_putOff is { } tried && length >= tried.Smallest)
            {
                _putOff = null;
            }
            return true;
        }
        catch (QueueException obstacle) when (!_options.Exclusive && obstacle.DelaysLetters)
        {
            PutOff(lease, obstacle, obstacle is QueueFullException ? LengthOf(lease) : 0);
            return false;
        }
        catch (Exception exception)
        {
            // Not in an exception filter: that would run before the lease is restored.
            if (_leases.TryGiveBackUnread(lease) || exception is QueueFailedException)
            {
                throw;
            }
            return false;
        }
    }

    // What letters wait for; null where they are to be tried.
    private PutOffLetter? WaitingLetter => _putOff is { } waiting && !_leases.IsOver(waiting.Due) ? waiting : null;

    // Zero where the message is damaged: then the attempt to make it a letter tells of that.
    private long LengthOf(in LeaseToken lease)
    {
        try
        {
            return _cursor.Reader.At(lease.Position).Length;
        }
        catch (QueueCorruptException)
        {
            return 0;
        }
    }

    // Those behind it are consumed meanwhile, and that makes room. An exclusive subscription keeps the order instead.
    private void PutOff(in LeaseToken lease, QueueException obstacle, long length)
    {
        PutOffLetter? earlier = WaitingLetter;
        if (obstacle is QueueFullException && earlier is null)
        {
            _store.Allocator.DeleteReusedInBackground();
        }
        PutOffLetter waiting = earlier is null
            ? FirstPutOff(lease, obstacle, length)
            : earlier with { Smallest = Math.Min(earlier.Smallest, length) };
        if (_leases.TryGiveBackUnread(lease, waiting.Due))
        {
            _putOff = waiting;
        }
    }

    private PutOffLetter FirstPutOff(in LeaseToken lease, QueueException obstacle, long length)
    {
        QueuePosition? end = _deadLetters.EndOf(Name);
        return new PutOffLetter(obstacle, _leases.DueForRoom(LetterRetry), length, FirstDelay(end), end, lease);
    }

    // That of this handle's attempt before, as long as its message is still there and no letter was added, nor were the letters opened,
    // since: most attempts may be other consumers', or this one may look for messages rarely. Where the message was consumed without a
    // letter, long ago perhaps, no consumer may have tried to write one since.
    private long FirstDelay(QueuePosition? end) =>
        _putOff is { Obstacle: not QueueFullException } before && before.LettersEnd == end && _leases.IsThere(before.Lease)
            ? before.First
            : Stopwatch.GetTimestamp();

    // Where there is nothing else to deliver the caller is told why one message is not: at once that the disk is full, and as late of a
    // process that does not run as everywhere, because one that is only slow looks alike.
    private void ThrowIfPutOff()
    {
        if (WaitingLetter is not { } waiting)
        {
            return;
        }
        string text = waiting.Obstacle.Message;
        if (waiting.Obstacle is QueueFullException)
        {
            throw new QueueFullException(text, waiting.Obstacle) { Path = waiting.Obstacle.Path };
        }
        TimeSpan delayed = Stopwatch.GetElapsedTime(waiting.First);
        if (delayed >= _deadLetters.StallTimeout)
        {
            throw new QueueStalledException($"{text} No dead letter could be written for {delayed.TotalSeconds:0.0} s.")
            { Path = waiting.Obstacle.Path, ProcessId = waiting.Obstacle.ProcessId };
        }
    }
}
