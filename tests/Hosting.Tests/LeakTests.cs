using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Xunit.Abstractions;

namespace BlitQueue.Hosting.Tests;

/// <summary>What is left of a host in its process; alone, because other tests open files, too.</summary>
[Collection(nameof(Alone))]
public sealed class LeakTests(ITestOutputHelper output) : HostFixture
{
    [Fact]
    public async Task Hosts_that_were_started_and_stopped_leave_no_handles_and_no_threads()
    {
        // The long form: BLITQUEUE_HOSTS=1000.
        int count = int.Parse(Environment.GetEnvironmentVariable("BLITQUEUE_HOSTS") ?? "30", CultureInfo.InvariantCulture);
        for (int i = 0; i < 10; i++)
        {
            await RunOnceAsync();
        }
        var before = Usage.Now(QueuePath);
        for (int i = 0; i < count; i++)
        {
            await RunOnceAsync();
        }
        var after = Usage.Now(QueuePath);
        output.WriteLine($"before: {before}, after {count} hosts: {after}");
        // The thread pool comes and goes, and the runtime maps more for compiled code; a leak would be one for each host.
        int slack = Math.Max(10, count / 50);
        Assert.True(
            after.Handles <= before.Handles + 5 && after.Mapped <= before.Mapped && after.Threads <= before.Threads + slack
                && after.Maps <= before.Maps + Math.Max(20, count / 5),
            $"before: {before}, after {count} hosts: {after}");
    }

    private async Task RunOnceAsync()
    {
        var handled = new TaskCompletionSource();
        using IHost host = HostOfJobs(builder =>
        {
            builder.Services.AddSingleton(new Script
            {
                Run = (_, _, _) =>
                {
                    handled.TrySetResult();
                    return Task.CompletedTask;
                },
            });
            builder.AddConsumer<ScriptedHandler>();
            builder.Services.AddHealthChecks().AddBlitQueue("jobs");
        });
        await host.StartAsync();
        host.Services.GetRequiredService<MappedQueue<Job>>().Enqueue(new Job());
        await handled.Task.WaitAsync(Patience);
        await host.StopAsync();
    }

    /// <summary>What the process has.</summary>
    /// <param name="Handles">Open files.</param>
    /// <param name="Threads">Of any kind.</param>
    /// <param name="Maps">All mappings.</param>
    /// <param name="Mapped">Those of the queue's files.</param>
    private sealed record Usage(int Handles, int Threads, int Maps, int Mapped)
    {
        public static Usage Now(string queue)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            using var self = Process.GetCurrentProcess();
            string[] maps = File.ReadAllLines("/proc/self/maps");
            return new Usage(
                Directory.GetFileSystemEntries("/proc/self/fd").Length, self.Threads.Count, maps.Length,
                maps.Count(line => line.Contains(queue, StringComparison.Ordinal)));
        }
    }
}

/// <summary>Tests that count what the whole process has.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
