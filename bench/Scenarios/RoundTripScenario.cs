using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>This process sends and waits, the second one answers.</summary>
internal sealed class RoundTripScenario(string name, Role role, Transport transport, WorkerSet workers, TimeSpan idle)
    : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        (AskResult asked, ReceiveResult answered) = workers.DoTogether<AskResult, ReceiveResult>(
            WorkerJob.Answer, transport, root, opened => transport.Ask(root, duration, idle, opened));
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
