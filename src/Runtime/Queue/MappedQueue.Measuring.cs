using BlitQueue.Memory;

namespace BlitQueue;

/// <content>What the instruments read.</content>
public sealed partial class MappedQueue<T>
{
    long IMeasured.SegmentSize => _store.Meta.SegmentSize;

    long IMeasured.Sent => _producer.Appender.Sent;

    long IMeasured.Waits => _producer.Waits;

    long IMeasured.Stalls => _producer.Stalls.Count;

    long IMeasured.Recoveries => Recovered is null ? 0 : 1;

    Dictionary<string, long> IMeasured.Consumed() => _store.Deliveries.Read();

    private void Measure()
    {
        if (!Instruments.AreSupported)
        {
            return;
        }
        string path = Path;
        _store.Sync.Synced = (duration, hasFailed) => QueueMeter.NoteSync(path, duration, hasFailed);
        MeasuredQueue measured = QueueMeter.Add(this);
        _store.Segments.Damages.Counted = measured.NoteDamage;
        _store.Released += () => measured.Remove(this);
    }
}
