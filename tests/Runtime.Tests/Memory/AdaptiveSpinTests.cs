using BlitQueue.Memory;
using Xunit;

namespace BlitQueue.Tests.Memory;

public sealed class AdaptiveSpinTests
{
    [Fact]
    public void Spins_go_on_as_long_as_they_find_something()
    {
        var spin = new AdaptiveSpin();
        for (int wait = 0; wait < 100; wait++)
        {
            Assert.True(spin.Begins());
            spin.Note(hasFound: true);
        }
    }

    [Fact]
    public void Each_spin_for_nothing_makes_twice_as_many_waits_do_without()
    {
        var spin = new AdaptiveSpin();
        for (int without = AdaptiveSpin.FewestWithout; without < AdaptiveSpin.MostWithout; without *= 2)
        {
            Assert.Equal(without, WaitsWithout(spin));
        }
        Assert.Equal(AdaptiveSpin.MostWithout, WaitsWithout(spin));
        Assert.Equal(AdaptiveSpin.MostWithout, WaitsWithout(spin));
    }

    [Fact]
    public void One_that_finds_something_makes_spins_worth_their_time_again()
    {
        var spin = new AdaptiveSpin();
        WaitsWithout(spin);
        WaitsWithout(spin);
        Assert.True(spin.Begins());
        spin.Note(hasFound: true);
        Assert.Equal(AdaptiveSpin.FewestWithout, WaitsWithout(spin));
    }

    // A spin for nothing, and how many waits do without one then.
    private static int WaitsWithout(AdaptiveSpin spin)
    {
        Assert.True(spin.Begins());
        spin.Note(hasFound: false);
        int without = 0;
        while (!spin.Begins())
        {
            without++;
        }
        return without;
    }
}
