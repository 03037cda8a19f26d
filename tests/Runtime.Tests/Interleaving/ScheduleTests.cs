using BlitQueue.Explorer;

namespace BlitQueue.Tests.Interleaving;

/// <summary>The protocol under every schedule of the smallest scenarios; the larger ones are the campaign's (tests/Reliability).</summary>
public sealed class ScheduleTests
{
    [Theory]
    [InlineData("append", 1)]
    [InlineData("append-two-asleep", 1)]
    [InlineData("append-some-fences", 1)]
    [InlineData("append-fences-again", 0)]
    [InlineData("two-words", 1)]
    [InlineData("two-words-asleep", 0)]
    [InlineData("batch", 1)]
    [InlineData("roll", 0)]
    [InlineData("kill-append", 1)]
    [InlineData("kill-batch", 2)]
    [InlineData("kill-roll", 1)]
    [InlineData("kill-reader", 1)]
    [InlineData("stop-append", 1)]
    [InlineData("stop-impatient", 2)]
    [InlineData("compete", 2)]
    [InlineData("fixed", 0)]
    [InlineData("kill-fixed-batch", 1)]
    [InlineData("durable", 0)]
    [InlineData("lease", 2)]
    [InlineData("kill-lease", 0)]
    [InlineData("time-out-two", 0)]
    [InlineData("time-out-transaction", 0)]
    [InlineData("time-out-roll-back", 1)]
    [InlineData("time-out-abandon", 0)]
    [InlineData("time-out-explain", 0)]
    [InlineData("time-out-renew", 2)]
    [InlineData("kill-explain", 1)]
    [InlineData("time-out-same", 1)]
    [InlineData("time-out-give-back", 1)]
    [InlineData("time-out", 0)]
    [InlineData("abandon-asleep", 1)]
    [InlineData("requeue", 1)]
    [InlineData("requeue-both", 1)]
    [InlineData("requeue-time-out", 0)]
    [InlineData("seek-dequeue", 2)]
    [InlineData("seek-claim", 0)]
    [InlineData("seek-leased", 0)]
    [InlineData("seek-holding", 1)]
    [InlineData("seek-time-out", 1)]
    [InlineData("seek-transaction", 1)]
    [InlineData("seek-asleep", 1)]
    [InlineData("segment-naming", 1)]
    [InlineData("segment-seek", 1)]
    [InlineData("segment-both", 1)]
    [InlineData("value", 2)]
    [InlineData("value-again", 1)]
    [InlineData("kill-value", 1)]
    [InlineData("stop-value", 1)]
    [InlineData("value-update", 1)]
    [InlineData("shared-lock", 2)]
    [InlineData("shared-lock-writers", 1)]
    [InlineData("kill-shared-writer", 1)]
    [InlineData("kill-shared-reader", 1)]
    [InlineData("stop-shared-lock", 1)]
    [InlineData("call", 1)]
    [InlineData("give-up-call", 1)]
    [InlineData("withdraw-call", 1)]
    [InlineData("call-task", 1)]
    [InlineData("call-hint", 2)]
    [InlineData("call-hint-two", 1)]
    [InlineData("kill-call", 1)]
    [InlineData("stop-call", 1)]
    public void Is_true_under_every_schedule(string name, int bound)
    {
        foreach (MemoryMode mode in Enum.GetValues<MemoryMode>())
        {
            CatalogueEntry entry = Catalogue.Find(name);
            Scenario scenario = entry.Open();
            using QueueBench bench = scenario.Bench;
            Exploration exploration = new Explorer.Explorer(scenario, mode, entry.BoundIn(mode, bound)).Run();
            Assert.True(
                exploration.Finding is null,
                $"{name} {mode} {exploration.Finding?.What}: {bench.Words.Export()} {exploration.Finding?.Schedule}");
            Assert.True(exploration.IsComplete);
            Assert.True(exploration.Schedules > 1, "There was nothing to explore.");
        }
    }

    // Needs two places to leave off at: the owner word of a living process was exchanged by who had read the message word long before.
    [Fact]
    public void A_cell_is_not_taken_by_words_of_two_moments()
    {
        Scenario scenario = Catalogue.Find("lease-cell").Open();
        using QueueBench bench = scenario.Bench;
        Exploration exploration = new Explorer.Explorer(scenario, MemoryMode.Sequential, bound: 2).Run();
        Assert.True(exploration.Finding is null, $"{exploration.Finding?.What}: {exploration.Finding?.Schedule}");
        Assert.True(exploration.IsComplete);
    }

    [Fact]
    public void Each_name_is_one_scenarios() =>
        Assert.Equal(
            Catalogue.Small.Count + Catalogue.Large.Count,
            Catalogue.Small.Concat(Catalogue.Large).DistinctBy(static entry => entry.Name).Count());

    [Fact]
    public void A_random_schedule_is_the_same_again()
    {
        Assert.Equal(Walk(17), Walk(17));
        Assert.NotEqual(Walk(17), Walk(18));

        static string Walk(int seed)
        {
            Scenario scenario = Catalogue.Find("random-append").Open();
            using QueueBench bench = scenario.Bench;
            var walks = new RandomWalks(scenario, MemoryMode.Views);
            Assert.Null(walks.Walk(new Random(seed)));
            return walks.Last;
        }
    }
}
