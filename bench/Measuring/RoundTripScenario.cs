using BlitQueue.Bench.Links;
using BlitQueue.Bench.Peers;

namespace BlitQueue.Bench.Measuring;

/// <summary>This process sends and waits, the second one answers.</summary>
internal sealed class RoundTripScenario(string name, Role role, Transport transport, Peer peer, TimeSpan idle) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        peer.Begin(new PeerTask(transport.Name, place, Answers: true));
        AskResult asked = transport.Ask(place, duration, idle, peer.AwaitOpened);
        ReceiveResult answered = peer.AwaitResult();
        Numbers.Expect(answered.Messages, asked.RoundTrips);
        return new Sample(
            asked.RoundTrips, asked.MeanNs, asked.FirstNs, asked.SteadyNs,
            (double)asked.Allocated / asked.RoundTrips, (double)answered.Allocated / asked.RoundTrips);
    }
}
