using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/evolution.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed class EvolutionPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("evolution.md");

    [Fact]
    public void It_does_what_the_page_says()
    {
        string[] said = Page.Run(Show).Split('\n');
        Assert.Equal("Ada -1", said[0]);
        Assert.Contains("holds another message type than it was opened with.", said[1], StringComparison.Ordinal);
        Assert.StartsWith("Id: string here, i64 there", said[2].Trim(), StringComparison.Ordinal);
    }

    private static void Show()
    {
        Page.MakeQueue<V1.Order>("orders");

        using (var older = MappedQueue<V1.Order>.Open("orders"))
            older.Enqueue(new V1.Order { Id = 1, Customer = "Ada" });

        using var newer = MappedQueue<V2.Order>.Open("orders");
        V2.Order? order = null;
        newer.TryDequeue(ref order);
        Console.WriteLine($"{order!.Customer} {order.Total}");       // Ada -1: a new instance keeps the initializer of what is not there

        try { MappedQueue<V3.Order>.Open("orders"); }
        catch (SchemaMismatchException refused) { Console.WriteLine(refused.Message); }
        // ... holds another message type than it was opened with.
        // Id: string here, i64 there ...   member by member, then what stands in the way
    }
}
