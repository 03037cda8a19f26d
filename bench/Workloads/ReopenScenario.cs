using System.Diagnostics;
using BlitQueue.Bench.Links;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Peers;

namespace BlitQueue.Bench.Depth;

/// <summary>
/// The only process that has a deep queue open is killed while it enqueues; then the queue is opened, and takes and gives a message.
/// </summary>
internal sealed class ReopenScenario(string name, Role role, Transport transport, DeepQueue<Fixed1024> deep) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        using (var peer = new Peer())
        {
            peer.Begin(new PeerTask(PeerWork.Send, transport.Name, deep.Place, TimeSpan.FromMinutes(1)));
            peer.AwaitOpened();
            peer.Go();
            Thread.Sleep(TimeSpan.FromMilliseconds(100));
            peer.Kill();
        }
        long started = Stopwatch.GetTimestamp();
        using MappedQueue<Fixed1024> queue = deep.Open();
        Fixed1024 sent = Fixed1024.Create(0);
        Fixed1024? received = null;
        queue.Enqueue(in sent);
        return queue.TryDequeue(ref received)
            ? new Sample(1, Stopwatch.GetElapsedTime(started).TotalNanoseconds)
            : throw new InvalidDataException("A deep queue is empty after its producer was killed.");
    }

    public override void Dispose() => deep.Dispose();
}
