using System.Diagnostics.CodeAnalysis;
using BlitQueue.Log;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// What a subscription has set aside: a queue of its own, in a directory inside that of the queue, made when it is first needed.
/// </summary>
/// <typeparam name="T">The queue's message type.</typeparam>
/// <remarks>May be used from any thread. <see cref="Subscription{T}.DeadLetters"/> gives it; it lives as long as its queue.</remarks>
/// <example>
/// <code>
/// DeadLetter&lt;Order&gt;? letter = null;
/// while (billing.DeadLetters.TryTake(ref letter))
///     Console.WriteLine($"{letter!.Message.Id}: {letter.Reason}");
/// </code>
/// </example>
public sealed class DeadLetterQueue<T>
    where T : IPackable<T>
{
    // A letter seldom comes: a small file will do, and larger letters go over several.
    private const long SegmentSize = 1 << 20;

    private readonly QueueStore _queue, _store;
    private readonly string _subscription;
    private readonly Producer<DeadLetter<T>> _producer;
    private readonly SubscriptionFile _file;
    private readonly Cursor<MachineMemory> _cursor;
    private readonly StatusReader _status;

    internal DeadLetterQueue(QueueStore queue, QueueOptions options, string subscription)
    {
        (_queue, _subscription) = (queue, subscription);
        _store = QueueStore.Open(queue.Files.PathOf(StoreFormat.DeadLettersName(subscription)), new StoreOptions
        {
            SegmentSize = SegmentSize,
            ChecksumsOfNew = queue.Meta.Checksum ? true : null,
            Patience = options.StallTimeout,
            Schema = DeadLetter<T>.Schema,
        });
        _producer = new Producer<DeadLetter<T>>(_store, options.ForDeadLetters(), this);
        queue.Releasing += _producer.Dispose;
        queue.Releasing += _store.Dispose;
        // Made anew where its file was lost: then all letters that are still there come again.
        _file = _store.Subscriptions.Find(StoreCreator.DefaultSubscription)
            ?? new SubscriptionAdmin(_store, options.StallTimeout).GetOrMake(StoreCreator.DefaultSubscription, atEnd: false);
        _cursor = _store.CursorOf<MachineMemory>(_file);
        _store.Releasing += _cursor.Dispose;
        _status = new StatusReader(_store);
    }

    /// <summary>How many letters there are.</summary>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public long Count
    {
        get
        {
            using CallGate.Call call = _store.Gate.Enter();
            return _status.Lag(_file);
        }
    }

    /// <summary>Takes the oldest letter, if there is one, and consumes it.</summary>
    /// <param name="letter">An instance to fill, or null to get a new one.</param>
    /// <returns>false when there is none.</returns>
    /// <exception cref="QueueCorruptException">The letter is damaged; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed.</exception>
    public bool TryTake([NotNullWhen(true)] ref DeadLetter<T>? letter)
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        while (_cursor.TryFind(out RecordRef found))
        {
            if (TryRead(found, ref letter) && _cursor.TryConsume(found))
            {
                return true;
            }
        }
        return false;
    }

    /// <summary>Passes the damage that the next call would meet; as <see cref="Subscription{T}.SkipCorrupt"/>.</summary>
    /// <inheritdoc cref="Subscription{T}.SkipCorrupt"/>
    public bool SkipCorrupt()
    {
        using CallGate.Call queueCall = _queue.Gate.Enter(), call = _store.Gate.Enter();
        DeadLetter<T>? letter = null;
        for (; ; )
        {
            long nextWord = _cursor.NextWord;
            try
            {
                if (!_cursor.TryFind(out RecordRef found) || TryRead(found, ref letter))
                {
                    return false;
                }
            }
            catch (QueueCorruptException damage) when (damage.Hole is not null)
            {
                if (_cursor.TryConsume(nextWord, damage.Hole.Value.End))
                {
                    return true;
                }
            }
        }
    }

    /// <param name="letter">What was set aside.</param>
    /// <param name="properties">The block that stands in front of the message in its queue; empty where there is none.</param>
    internal void Add(DeadLetter<T> letter, ReadOnlySpan<byte> properties) => _producer.EnqueueBehind(in letter, properties);

    /// <summary>Does for the letters that were added what the queue's level of durability promises.</summary>
    internal void Secure() => _producer.Secure(_producer.Options.Durability);

    /// <summary>
    /// Whether the message at a position is among the letters that are still there, and whole: what nobody can read is no letter.
    /// </summary>
    internal bool Contains(QueuePosition position)
    {
        using CallGate.Call call = _store.Gate.Enter();
        bool isThere = false;
        // What others take during the look stays where it is: else its bytes might be anything.
        _store.Hold.While(first: 0, () => isThere = IsThere(position));
        return isThere;
    }

    private bool IsThere(QueuePosition position)
    {
        using var reader = new RecordReader<MachineMemory>(_store.Segments, _store.Meta);
        DeadLetter<T>? letter = null;
        long nextWord = MachineMemory.Load(ref _file.Next);
        for (; ; )
        {
            long after;
            try
            {
                if (!reader.TryFind(nextWord, out RecordRef found))
                {
                    return false;
                }
                after = found.After;
                Read(found, ref letter, reader);
                if (letter!.Position == position)
                {
                    return true;
                }
            }
            catch (QueueCorruptException damage) when (damage.Hole is { } hole)
            {
                after = hole.End;
            }
            nextWord = SubscriptionFormat.NextWord(after, 0);
            reader.LeaveBefore(after);
        }
    }

    // False when the letter was another's before it was read: then its bytes may be anything. Else its message is consumed by now, before
    // the letter goes: its writer may be dead, and a letter that is gone tells nobody of itself.
    private bool TryRead(in RecordRef found, [NotNullWhen(true)] ref DeadLetter<T>? letter)
    {
        try
        {
            Read(found, ref letter, _cursor.Reader);
            if (_cursor.WasStillNext(found))
            {
                _queue.Subscriptions.Find(_subscription)?.EndDeadLetter<MachineMemory>(letter!.Position.Value, _queue.Control);
                return true;
            }
        }
        catch (QueueCorruptException) when (!_cursor.IsStillNext(found))
        {
        }
        return false;
    }

    private static void Read(in RecordRef found, [NotNull] ref DeadLetter<T>? letter, RecordReader<MachineMemory> records)
    {
        try
        {
            var reader = new PackReader(records.Message(found));
            DeadLetter<T>.Unpack(ref reader, ref letter);
            _ = letter ?? throw new PackException("it is none");
            letter.Properties = found.HasProperties ? letter.Properties ?? new MessageProperties() : null;
            if (letter.Properties?.TryFill(records.Properties(found, isChecked: true)) == false)
            {
                throw records.DamagedProperties(found);
            }
        }
        catch (PackException exception)
        {
            throw records.Damaged(found.Position, $"the dead letter cannot be unpacked: {exception.Message.TrimEnd('.')}", exception);
        }
    }
}
