namespace BlitQueue.Bench.Measuring;

/// <summary>One group's rows.</summary>
internal sealed record Table(string Title, long? MessageBytes, IReadOnlyList<Row> Rows)
{
    public Row? Floor => Rows.FirstOrDefault(row => row.Role == Role.Floor);

    public Row? Peer => Rows.FirstOrDefault(row => row.Role == Role.Peer);
}
