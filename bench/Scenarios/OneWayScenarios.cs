using System.Diagnostics;
using BlitQueue.Bench.Links;
using BlitQueue.Bench.Peers;

namespace BlitQueue.Bench.Measuring;

/// <summary>This process sends, the second one receives and checks.</summary>
internal sealed class OneWayScenario(string name, Role role, Transport transport, PeerSet peers) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        Peer peer = peers[0];
        peer.Begin(new PeerTask(PeerWork.Receive, transport.Name, place));
        SendResult sent = transport.Send(place, duration, peer.AwaitOpened);
        var received = peer.AwaitResult<ReceiveResult>();
        Numbers.Expect(received.Messages, sent.Messages);
        return new Sample(sent.Messages, Stopwatch.GetElapsedTime(sent.Started, received.Ended).TotalNanoseconds / sent.Messages)
        {
            FirstNs = received.FirstNs,
            SteadyNs = received.SteadyNs,
            AllocatedHere = (double)sent.Allocated / sent.Messages,
            AllocatedThere = (double)received.Allocated / sent.Messages,
        };
    }
}
