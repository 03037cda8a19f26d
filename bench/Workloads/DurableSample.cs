namespace BlitQueue.Bench.Durable;

/// <summary>What one row did in one round.</summary>
internal readonly record struct DurableSample(long Messages, long Syncs, TimeSpan Time)
{
    /// <summary>Messages for each sync; null where there was none.</summary>
    public double? PerSync => Syncs == 0 ? null : (double)Messages / Syncs;
}
