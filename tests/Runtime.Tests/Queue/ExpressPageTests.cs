using Xunit;

namespace BlitQueue.Tests.Queue.Pages;

/// <summary>What docs/express.md shows.</summary>
public sealed class ExpressPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("express.md");

    [Fact]
    public void Its_code_runs()
    {
        string name = $"page-{Guid.NewGuid():N}";
        using var ticks = MappedQueue<Tick>.OpenExpress(name);         // any process of this user that opens the name has the same queue
        ticks.Enqueue(new Tick { Price = 101.5 });

        Tick? tick = null;
        while (ticks.TryDequeue(ref tick))
            Console.WriteLine(tick!.Price);
        Assert.Equal(101.5, tick!.Price);

        ticks.Dispose();
        bool deleted = MappedQueue<Tick>.DeleteExpress(name);          // false: there was none; an exception: somebody has it open
        Assert.True(deleted);

        using (var queue = MappedQueue<Tick>.CreateAnonymous())
            queue.Enqueue(new Tick { Price = 99 });                    // nothing is left of it after this line
    }
}
