namespace BlitQueue.Bench.Promises;

/// <summary>What a figure counts.</summary>
internal enum Unit
{
    Nanoseconds,
    Bytes,
}
