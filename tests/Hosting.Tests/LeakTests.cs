using System.Diagnostics;
using System.Globalization;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BlitQueue.Hosting.Tests;

/// <summary>What is left of a host in its process; alone, because other tests open files, too.</summary>
[Collection(nameof(Alone))]
public sealed class LeakTests : HostFixture
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
        var before = Usage.Now();
        for (int i = 0; i < count; i++)
        {
            await RunOnceAsync();
        }
        var after = Usage.Now();
        // The thread pool comes and goes; a leak would be one for each host.
        int slack = Math.Max(10, count / 50);
        Assert.True(
            after.Handles <= before.Handles + 5 && after.Maps <= before.Maps + slack && after.Threads <= before.Threads + slack,
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

    private sealed record Usage(int Handles, int Threads, int Maps)
    {
        public static Usage Now()
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
            using var self = Process.GetCurrentProcess();
            return new Usage(
                Directory.GetFileSystemEntries("/proc/self/fd").Length, self.Threads.Count, File.ReadLines("/proc/self/maps").Count());
        }
    }
}

/// <summary>Tests that count what the whole process has.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
