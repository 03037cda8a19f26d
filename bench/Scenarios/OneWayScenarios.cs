using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Transports;
using BlitQueue.Bench.Workers;

namespace BlitQueue.Bench.Scenarios;

/// <summary>This process sends, the second one receives and checks.</summary>
internal sealed class OneWayScenario(string name, Role role, Transport transport, WorkerSet workers) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        (SendResult sent, ReceiveResult received) = workers.DoTogether<SendResult, ReceiveResult>(
            WorkerJob.Receive, transport, root, opened => transport.Send(root, duration, opened));
        return OneWay.SampleOf(sent, received) with
        {
            AllocatedHere = (double)sent.Allocated / sent.Messages,
            AllocatedThere = (double)received.Allocated / sent.Messages,
        };
    }
}

/// <summary>This thread sends, another one of this process receives and checks.</summary>
internal sealed class ThreadsScenario(string name, Role role, Transport transport) : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        using var opened = new ManualResetEventSlim();
        Task<ReceiveResult> receiving = OneWay.StartReceiving(transport, root, opened.Set);
        SendResult sent = transport.Send(root, duration, opened.Wait);
        ReceiveResult received = receiving.GetAwaiter().GetResult();
        return OneWay.SampleOf(sent, received) with { AllocatedHere = (double)received.Allocated / sent.Messages };
    }
}

/// <summary>
/// Processes send as fast as they can, each over a transport of its own to the same root; this one receives, or none does.
/// </summary>
internal sealed class ContendingScenario(string name, Role role, Transport[] producers, Transport? consumer, WorkerSet workers)
    : Scenario(name, role)
{
    public override Sample Measure(TimeSpan duration, string root)
    {
        // The consumer makes the queue.
        Func<ReceiveResult>? consuming = consumer is null ? null : Consume(consumer, root);
        Worker[] all = [.. producers.Select((_, index) => workers[index])];
        for (int i = 0; i < all.Length; i++)
        {
            all[i].Begin(new WorkerTask(WorkerJob.Send, producers[i].Name, root, duration));
        }
        Array.ForEach(all, static worker => worker.AwaitOpened());
        Array.ForEach(all, static worker => worker.Go());
        SendResult[] sent = [.. all.Select(static worker => worker.AwaitResult<SendResult>())];
        long messages = sent.Sum(static result => result.Messages), ended = sent.Max(static result => result.Ended);
        if (consuming?.Invoke() is { } received)
        {
            Numbers.Expect(received.Messages, messages);
            ended = received.Ended;
        }
        return new Sample(messages, Stopwatch.GetElapsedTime(sent.Min(static result => result.Started), ended).TotalNanoseconds / messages);
    }

    private static Func<ReceiveResult> Consume(Transport consumer, string root)
    {
        var opened = new ManualResetEventSlim();
        Task<ReceiveResult> receiving = OneWay.StartReceiving(consumer, root, opened.Set);
        opened.Wait();
        return receiving.GetAwaiter().GetResult;
    }
}

/// <summary>What the scenarios above have in common.</summary>
file static class OneWay
{
    /// <summary>Receives on a thread of its own.</summary>
    public static Task<ReceiveResult> StartReceiving(Transport transport, string root, Action opened) => Task.Factory.StartNew(
        () => transport.Receive(root, opened), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    /// <summary>Without what was allocated: that depends on which processes the two ends ran in.</summary>
    /// <exception cref="InvalidDataException">Not all that was sent was received.</exception>
    public static Sample SampleOf(SendResult sent, ReceiveResult received)
    {
        Numbers.Expect(received.Messages, sent.Messages);
        return new Sample(sent.Messages, Stopwatch.GetElapsedTime(sent.Started, received.Ended).TotalNanoseconds / sent.Messages)
        {
            FirstNs = received.FirstNs,
            SteadyNs = received.SteadyNs,
        };
    }
}

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
