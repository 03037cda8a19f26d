using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Durable;

/// <summary>Messages for a time: a sync takes as long as it takes.</summary>
internal sealed class DurableScenario(string name, Role role, Func<string, TimeSpan, DurableSample> measure) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        DurableSample sample = measure(Path.Combine(place, "messages"), duration);
        return new Sample(sample.Messages, sample.Time.TotalNanoseconds / sample.Messages) { PerSync = sample.PerSync };
    }
}
