using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>This process sends at a fixed rate, the second one takes the time from when each message was meant to be sent.</summary>
internal sealed class LatencyScenario(string name, Role role, Transport transport, WorkerSet workers, int perSecond) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        (LatencyResult sent, LatencyResult received) = workers.DoTogether<LatencyResult, LatencyResult>(
            WorkerJob.Clock, transport, root, opened => transport.Pace(root, duration, perSecond, opened));
        Numbers.Expect(received.Messages, sent.Messages);
        return new Sample(received.Messages, Ns: null) { Latency = received.Latency };
    }
}

/// <summary>This process sends at a fixed rate; the time is taken until the call returns, and nobody receives.</summary>
internal sealed class PaceScenario(string name, Role role, Transport transport, int perSecond) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        LatencyResult sent = transport.Pace(root, duration, perSecond, static () => { });
        return new Sample(sent.Messages, Ns: null) { Latency = sent.Latency };
    }
}

/// <summary>The same with a second process that only spins: what the machine does to a loop when two processors are busy.</summary>
internal sealed class BusyPaceScenario(string name, Role role, Transport nothing, WorkerSet workers, int perSecond) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        Worker worker = workers[0];
        worker.Begin(new WorkerTask(WorkerJob.Send, nothing.Name, root, duration));
        worker.AwaitOpened();
        worker.Go();
        LatencyResult sent = nothing.Pace(root, duration, perSecond, static () => { });
        worker.AwaitResult<SendResult>();
        return new Sample(sent.Messages, Ns: null) { Latency = sent.Latency };
    }
}
