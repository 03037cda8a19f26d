using System.Buffers.Binary;
using BlitQueue.Log;

namespace BlitQueue.Reliability.Corruption;

/// <inheritdoc/>
/// <param name="name">For the reader of a violation.</param>
/// <param name="hasChecksum">Whether payloads are checked.</param>
/// <param name="queue">The queue's directory inside the store.</param>
/// <param name="make">Makes the message of a key, with a body of so many bytes.</param>
/// <param name="keyOf">The key of a message; -1 where it is not whole.</param>
internal sealed class Golden<T>(string name, bool hasChecksum, string queue, Func<long, int, T> make, Func<T?, long> keyOf)
    : Golden(name, hasChecksum, queue)
    where T : IPackable<T>
{
    /// <summary>Keys of what a trial appends.</summary>
    public const long FirstAppended = 1_000_000;

    private const int Appends = 3;

    // A poller compares with the tail only now and then; and what was leased by others comes a moment later.
    private const int EmptyLooks = 1100, MostSkips = 10_000;

    private static readonly QueueOptions Options = new() { StallTimeout = TimeSpan.FromMilliseconds(200) };

    public override Reading Read(string directory)
    {
        var reading = new Reading();
        string path = Path.Combine(directory, Queue);
        reading.Try("open", () =>
        {
            using MappedStore? store = Queue.Length == 0 ? null : MappedStore.Open(directory, Options);
            using MappedQueue<T> opened = store is null ? MappedQueue<T>.Open(path, Options) : store.OpenQueue<T>(Queue);
            Read(opened, reading);
        });
        return reading;
    }

    protected override void Locate(string directory)
    {
        const int segmentSize = 1 << 16;
        using var opened = MappedQueue<T>.Open(Path.Combine(directory, Queue), Options);
        using QueueCursor<T> cursor = opened.OpenCursor(QueuePosition.Oldest);
        T? message = default;
        while (cursor.TryRead(ref message, out QueuePosition position))
        {
            string file = Path.Combine(Queue, StoreFormat.SegmentName(position.Value & -segmentSize));
            int offset = (int)(position.Value & (segmentSize - 1));
            long header = BinaryPrimitives.ReadInt64LittleEndian(Files[file].AsSpan(offset));
            int length = RecordFormat.Kind(header).IsFragment() ? 0 : (int)RecordFormat.Extent(RecordFormat.Length(header));
            Records.Add(new GoldenRecord(keyOf(message), file, offset, length));
        }
    }

    private void Read(MappedQueue<T> opened, Reading reading)
    {
        reading.Try("status", () => opened.GetStatus());
        reading.Try("cursor", () => ReadLog(opened, reading.Log));
        reading.Try("append", () => Append(opened, reading));
        foreach (string subscription in (string[])["default", "leased", "late"])
        {
            reading.Delivered.Add(subscription, []);
            reading.Try(subscription, () => Drain(opened, subscription, reading));
        }
        reading.Try("dead letters", () => TakeLetters(opened, reading));
    }

    private void ReadLog(MappedQueue<T> opened, List<long> keys)
    {
        using QueueCursor<T> cursor = opened.OpenCursor(QueuePosition.Oldest);
        for (T? message = default; cursor.TryRead(ref message); message = default)
        {
            keys.Add(keyOf(message));
        }
    }

    private void Append(MappedQueue<T> opened, Reading reading)
    {
        using QueueCursor<T> cursor = opened.OpenCursor(QueuePosition.Newest);
        for (int i = 0; i < Appends; i++)
        {
            opened.Enqueue(make(FirstAppended + i, 100 * i));
        }
        T? message = default;
        for (int i = 0; i < Appends; i++)
        {
            if (!cursor.TryRead(ref message) || keyOf(message) != FirstAppended + i)
            {
                return;
            }
        }
        reading.AppendIsRead = true;
    }

    private void Drain(MappedQueue<T> opened, string name, Reading reading)
    {
        using Subscription<T> subscription = opened.Subscribe(name);
        T? message = default;
        int empty = 0, skips = 0;
        while (empty < EmptyLooks)
        {
            try
            {
                if (!subscription.TryConsume(withLease: subscription.Name == "leased", ref message))
                {
                    empty++;
                    // Leases of the dead are looked for once in a millisecond.
                    if (empty == EmptyLooks / 2)
                    {
                        Thread.Sleep(2);
                    }
                    continue;
                }
                reading.Delivered[name].Add(keyOf(message));
                empty = 0;
            }
            catch (QueueCorruptException exception)
            {
                reading.Faults.Add((name, exception));
                if (++skips > MostSkips || !subscription.SkipCorrupt())
                {
                    return;
                }
            }
        }
    }

    private void TakeLetters(MappedQueue<T> opened, Reading reading)
    {
        List<long> letters = [];
        reading.Delivered.Add("letters", letters);
        using Subscription<T> subscription = opened.Subscribe("leased");
        DeadLetter<T>? letter = null;
        while (letters.Count < MostSkips && subscription.DeadLetters.TryTake(ref letter))
        {
            letters.Add(keyOf(letter!.Message!));
            letter = null;
        }
    }
}
