using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Plans;

/// <summary>Rows of rivals whose packages are asked for by a property of the build: the other part stands in Rivals/.</summary>
internal static partial class OptionalRows
{
    /// <summary>8 bytes in and out on one thread; none where the property is not set.</summary>
    public static IEnumerable<Scenario> Pairs()
    {
        List<Scenario> rows = [];
        AddPairs(rows);
        return rows;
    }

    static partial void AddPairs(List<Scenario> rows);
}
