using System.Diagnostics;
using BlitQueue.Bench.Links;

namespace BlitQueue.Bench.Measuring;

/// <summary>This thread sends, another one of this process receives and checks.</summary>
internal sealed class ThreadsScenario(string name, Role role, Transport transport) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string place)
    {
        using var opened = new ManualResetEventSlim();
        Task<ReceiveResult> receiving = Task.Factory.StartNew(
            () => transport.Receive(place, opened.Set), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        SendResult sent = transport.Send(place, duration, opened.Wait);
        ReceiveResult received = receiving.GetAwaiter().GetResult();
        Numbers.Expect(received.Messages, sent.Messages);
        return new Sample(sent.Messages, Stopwatch.GetElapsedTime(sent.Started, received.Ended).TotalNanoseconds / sent.Messages)
        {
            FirstNs = received.FirstNs,
            SteadyNs = received.SteadyNs,
            AllocatedHere = (double)received.Allocated / sent.Messages,
        };
    }
}
