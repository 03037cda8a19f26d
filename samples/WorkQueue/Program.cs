// A work queue: any number of workers share the jobs, and a job outlives the worker that has it.
//
//   dotnet run --project samples/WorkQueue send 20
//   dotnet run --project samples/WorkQueue work        (as many as you like; kill some)
//   dotnet run --project samples/WorkQueue status
using BlitQueue;

using var jobs = MappedQueue<Job>.Open(Path.Combine(Path.GetTempPath(), "blitqueue-work"));

switch (args)
{
    case ["send", var count]:
        for (int number = 1; number <= int.Parse(count); number++)
        {
            jobs.Enqueue(new Job { Number = number });
        }
        break;

    case ["work"]:
        Work();
        break;

    default:
        Console.WriteLine(jobs.GetStatus());
        break;
}

void Work()
{
    using Subscription<Job> mine = jobs.Subscribe(
        "default", new SubscriptionOptions { MaxAttempts = 3, RetryDelay = TimeSpan.FromMilliseconds(200) });

    // The job is this worker's own until Commit. If the worker dies before, another one gets it, and Attempt counts.
    while (mine.Receive(TimeSpan.FromSeconds(1)) is { } lease)
    {
        Job job = lease.Read();
        try
        {
            Do(job);
            Console.WriteLine($"did job {job.Number}, attempt {lease.Attempt}");
            lease.Commit();
        }
        catch (InvalidOperationException failure)
        {
            Console.WriteLine($"job {job.Number}, attempt {lease.Attempt}: {failure.Message}");
            lease.Abandon();
        }
    }
    Console.WriteLine($"nothing left to do; {mine.DeadLetters.Count} jobs cannot be done");
}

static void Do(Job job)
{
    Thread.Sleep(50);
    if (job.Number == 13)
    {
        throw new InvalidOperationException("nobody can do this one");
    }
}

/// <summary>What is to be done.</summary>
[QueueMessage]
public partial class Job
{
    public int Number { get; set; }
}
