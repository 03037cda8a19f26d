using BlitQueue.Bench.Links;

namespace BlitQueue.Bench.Measuring;

/// <summary>This process sends at a fixed rate; the time is taken until the call returns, and nobody receives.</summary>
internal sealed class PaceScenario(string name, Role role, Transport transport, int perSecond) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        LatencyResult sent = transport.Pace(place, duration, perSecond, static () => { });
        return new Sample(sent.Messages, Ns: null) { Latency = sent.Latency };
    }
}
