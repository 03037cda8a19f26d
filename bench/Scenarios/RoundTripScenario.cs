using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>This process sends and waits, the second one answers.</summary>
internal sealed class RoundTripScenario(string name, Role role, Transport transport, WorkerSet workers, TimeSpan idle) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        Worker worker = workers[0];
        worker.Begin(new WorkerTask(WorkerJob.Answer, transport.Name, place));
        AskResult asked = transport.Ask(place, duration, idle, worker.AwaitOpened);
        var answered = worker.AwaitResult<ReceiveResult>();
        Numbers.Expect(answered.Messages, asked.RoundTrips);
        return new Sample(asked.RoundTrips, asked.MeanNs)
        {
            FirstNs = asked.FirstNs,
            SteadyNs = asked.SteadyNs,
            AllocatedHere = (double)asked.Allocated / asked.RoundTrips,
            AllocatedThere = (double)answered.Allocated / asked.RoundTrips,
        };
    }
}
