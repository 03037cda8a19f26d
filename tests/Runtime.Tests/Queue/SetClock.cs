namespace BlitQueue.Tests.Queue;

/// <summary>A clock that stands still until it is advanced.</summary>
internal sealed class SetClock : TimeProvider
{
    public static readonly DateTime Start = new(2030, 1, 2, 3, 4, 5, DateTimeKind.Utc);

    private long _ticks;

    public override long TimestampFrequency => TimeSpan.TicksPerSecond;

    public void Advance(TimeSpan time) => Interlocked.Add(ref _ticks, time.Ticks);

    public override DateTimeOffset GetUtcNow() => new(Start.AddTicks(Interlocked.Read(ref _ticks)));

    public override long GetTimestamp() => Interlocked.Read(ref _ticks);
}
