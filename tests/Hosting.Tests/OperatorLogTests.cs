using System.Diagnostics;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BlitQueue.Hosting.Tests;

/// <summary>What an operator must know is logged, with the numbers of docs/hosting.md; alone, because the meter is the process's.</summary>
[Collection(nameof(Alone))]
public sealed class OperatorLogTests : PeerFixture
{
    [Fact]
    public async Task A_recovery_that_found_damage_is_logged_with_its_report()
    {
        using (var queue = MappedQueue<Job>.Open(QueuePath, new QueueOptions { UseChecksums = true }))
        {
            queue.Enqueue(new Job { Id = 0, Text = "damage me" });
            queue.Enqueue(new Job { Id = 1, Text = "sound" });
        }
        Damage("damage me");
        // docs/FORMAT.md, word "boot": as after a restart of the machine.
        using (FileStream control = File.OpenWrite(Path.Combine(QueuePath, "queue.control")))
        {
            control.Position = 32;
            control.Write("another"u8);
        }
        using IHost host = HostOfJobs();
        await host.StartAsync();
        string report = host.Services.GetRequiredService<MappedQueue<Job>>().Recovered!.ToString();
        LogLine line = Assert.Single(Log.Of("QueueRecovered"));
        Assert.Equal((101, LogLevel.Warning), (line.Event.Id, line.Level));
        Assert.EndsWith(report, line.Text, StringComparison.Ordinal);
        Assert.Contains("segment-", line.Text, StringComparison.Ordinal);
        await host.StopAsync();
    }

    [Fact]
    public async Task A_process_that_is_stopped_inside_of_an_append_is_logged_once_and_counted()
    {
        using var metrics = new Collected();
        using IHost host = HostOfJobs(configure: static options =>
        {
            options.Capacity = 1 << 20;
            options.StallTimeout = TimeSpan.FromMilliseconds(300);
        });
        await host.StartAsync();
        MappedQueue<Job> queue = host.Services.GetRequiredService<MappedQueue<Job>>();
        using Process peer = await StartStoppedAsync();
        try
        {
            for (int times = 0; times < 3; times++)
            {
                Assert.Throws<QueueStalledException>(() => queue.Enqueue(new Job()));
            }
            await Assert.ThrowsAsync<QueueStalledException>(async () => await queue.EnqueueAsync(new Job()));
            await UntilAsync(() => Log.Of("QueueStalled").Length > 0);
            metrics.Collect();
            Assert.Equal(4, metrics.Of("blitqueue.queue.stalls", QueuePath));
        }
        finally
        {
            peer.Kill();
        }
        await peer.WaitForExitAsync();
        LogLine line = Assert.Single(Log.Of("QueueStalled"));
        Assert.Equal((103, LogLevel.Error), (line.Event.Id, line.Level));
        Assert.Contains($"process {peer.Id} has held the lock", line.Text, StringComparison.Ordinal);
        Job? got = null;
        Assert.True(queue.TryDequeue(ref got));
        queue.Enqueue(new Job());
        await host.StopAsync();
    }

    [Fact]
    public async Task A_process_that_does_not_get_on_with_opening_is_logged_and_fails_the_start()
    {
        Fill(1);
        using Process locker = Process.Start(new ProcessStartInfo("flock", [QueuePath, "sh", "-c", "echo locked; exec sleep 600"])
        { RedirectStandardOutput = true })!;
        try
        {
            Assert.Equal("locked", await locker.StandardOutput.ReadLineAsync());
            using IHost host = HostOfJobs(configure: static options => options.StallTimeout = TimeSpan.FromMilliseconds(300));
            QueueException thrown = await Assert.ThrowsAnyAsync<QueueException>(() => host.StartAsync());
            string logged = thrown is QueueStalledException ? "QueueStalled" : "QueueOpenFailed";
            Assert.EndsWith(thrown.Message, Assert.Single(Log.Of(logged)).Text, StringComparison.Ordinal);
        }
        finally
        {
            locker.Kill();
        }
    }

    [Fact]
    public async Task A_lease_that_a_handler_lost_is_logged_and_its_message_is_handled_by_another()
    {
        Fill(1);
        var taken = new TaskCompletionSource();
        using IHost host = HostOfJobs(builder =>
        {
            builder.Services.AddSingleton(new Script
            {
                Run = async (_, context, _) =>
                {
                    if (context.Attempt > 1)
                    {
                        taken.TrySetResult();
                    }
                    await taken.Task.WaitAsync(Patience);
                },
            });
            builder.AddConsumer<ScriptedHandler>(configure: static options =>
            {
                options.Concurrency = 2;
                options.VisibilityTimeout = TimeSpan.FromMilliseconds(200);
            });
        });
        await host.StartAsync();
        await UntilAsync(() => Log.Of("LeaseLost").Length > 0 && Status().MessageCount == 0);
        await host.StopAsync();
        LogLine line = Log.Of("LeaseLost")[0];
        Assert.Equal((204, LogLevel.Warning), (line.Event.Id, line.Level));
        Assert.Contains("at attempt 1", line.Text, StringComparison.Ordinal);
        Assert.Equal(0, Status().Subscriptions[0].DeadLetters);
    }

    [Fact]
    public async Task Without_instruments_a_host_works_and_no_listener_hears_of_it()
    {
        Fill(3);
        using Process peer = Start(milliseconds: 1, "hears", seconds: 30, FileOf("spans"), "bare");
        await UntilAsync(() => Status().MessageCount == 0);
        await StopAsync(peer);
        Assert.Equal([0, 1, 2], Ended().Order());
        Assert.False(File.Exists(FileOf("spans")), "there are spans");
    }
}
