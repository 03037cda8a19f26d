using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Peers;

namespace BlitQueue.Bench.Depth;

/// <summary>The memory of a consumer that has just started and taken one of many messages.</summary>
internal sealed class WeightScenario(string name, Role role, Transport transport, DeepQueue<Fixed8> deep) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        using var peer = new Peer();
        peer.Begin(new PeerTask(PeerWork.Weigh, transport.Name, deep.Place));
        return new Sample(1, Ns: null) { Resident = peer.AwaitResult<WeighResult>().Resident };
    }

    public override void Dispose() => deep.Dispose();
}
