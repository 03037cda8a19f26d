using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench;

public sealed class LatencyHistogramTests
{
    [Fact]
    public void Nothing_recorded_is_zero()
    {
        var histogram = new LatencyHistogram();
        Assert.Equal((0, 0, 0), (histogram.Count, histogram.Max, histogram.Percentile(99.9)));
    }

    [Fact]
    public void Short_durations_are_exact()
    {
        LatencyHistogram histogram = Of(Enumerable.Range(0, 256).Select(value => (long)value));
        Assert.Equal([0, 127, 254, 255], new[] { 0, 50, 99.6, 100 }.Select(histogram.Percentile));
    }

    [Fact]
    public void A_percentile_is_the_rank_that_its_name_says()
    {
        LatencyHistogram histogram = Of(Enumerable.Repeat(10L, 999).Append(200));
        Assert.Equal((10, 200, 200), (histogram.Percentile(99.9), histogram.Percentile(99.91), histogram.Percentile(100)));
    }

    [Fact]
    public void Any_duration_comes_back_within_a_128th_above()
    {
        foreach (long value in Enumerable.Range(0, 63)
            .SelectMany(bit => new[] { 1L << bit, (1L << bit) - 1, (1L << bit) + (1L << bit / 2) }))
        {
            LatencyHistogram histogram = Of([value, long.MaxValue]);
            Assert.InRange(histogram.Percentile(50), value, value + (value / 128));
        }
    }

    [Fact]
    public void A_negative_duration_counts_as_zero() => Assert.Equal((1, 0), (Of([-5]).Count, Of([-5]).Max));

    [Fact]
    public void A_stall_is_what_the_calls_behind_it_would_have_seen()
    {
        var histogram = new LatencyHistogram();
        histogram.RecordCorrected(100, 30);
        Assert.Equal(3, histogram.Count);
        Assert.Equal([40, 70, 100], new[] { 33, 66, 100.0 }.Select(histogram.Percentile));
    }

    [Fact]
    public void One_takes_in_another()
    {
        LatencyHistogram histogram = Of([1, 2]);
        histogram.Add(Of([3, 1000]));
        Assert.Equal((4, 1000, 2, 3), (histogram.Count, histogram.Max, histogram.Percentile(50), histogram.Percentile(75)));
    }

    private static LatencyHistogram Of(IEnumerable<long> values)
    {
        var histogram = new LatencyHistogram();
        foreach (long value in values)
        {
            histogram.Record(value);
        }
        return histogram;
    }
}
