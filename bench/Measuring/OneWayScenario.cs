using System.Diagnostics;
using BlitQueue.Bench.Links;
using BlitQueue.Bench.Peers;

namespace BlitQueue.Bench.Measuring;

/// <summary>This process sends, the second one receives and checks.</summary>
internal sealed class OneWayScenario(string name, Role role, Transport transport, Peer peer) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        peer.Begin(new PeerTask(transport.Name, place, Answers: false));
        SendResult sent = transport.Send(place, duration, peer.AwaitOpened);
        ReceiveResult received = peer.AwaitResult();
        Numbers.Expect(received.Messages, sent.Messages);
        return new Sample(
            sent.Messages, Stopwatch.GetElapsedTime(sent.Started, received.Ended).TotalNanoseconds / sent.Messages,
            received.FirstNs, received.SteadyNs,
            (double)sent.Allocated / sent.Messages, (double)received.Allocated / sent.Messages);
    }
}
