using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;

namespace BlitQueue.Hosting.Tests;

/// <summary>What a health check says.</summary>
public sealed class HealthTests : HostFixture
{
    [Fact]
    public async Task Without_limits_a_queue_that_works_is_healthy()
    {
        HealthReportEntry entry = await CheckAsync(jobs: 3, static _ => { });
        Assert.Equal((HealthStatus.Healthy, "3 messages wait"), (entry.Status, entry.Description));
        Assert.Equal(3L, entry.Data["default: lag"]);
    }

    [Fact]
    public async Task Over_a_limit_it_is_degraded_and_over_the_next_one_unhealthy()
    {
        HealthReportEntry degraded = await CheckAsync(jobs: 3, static limits => (limits.MaxLag, limits.UnhealthyLag) = (2, 3));
        Assert.Equal((HealthStatus.Degraded, "default: 3 messages wait"), (degraded.Status, degraded.Description));
        HealthReportEntry unhealthy = await CheckAsync(jobs: 1, static limits => (limits.MaxLag, limits.UnhealthyLag) = (2, 3));
        Assert.Equal((HealthStatus.Unhealthy, "default: 4 messages wait"), (unhealthy.Status, unhealthy.Description));
    }

    [Fact]
    public async Task Age_and_free_disk_have_limits_too()
    {
        HealthReportEntry old = await CheckAsync(jobs: 1, static limits => limits.MaxOldestAge = TimeSpan.FromTicks(1));
        Assert.Equal(HealthStatus.Degraded, old.Status);
        Assert.StartsWith("default: the oldest message waits 00:", old.Description, StringComparison.Ordinal);
        HealthReportEntry full = await CheckAsync(jobs: 0, static limits => limits.UnhealthyFreeDisk = long.MaxValue);
        Assert.Equal(HealthStatus.Unhealthy, full.Status);
        Assert.EndsWith("bytes are free on the disk", full.Description, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Dead_letters_have_a_limit_and_a_consumer_that_can_take_nothing_is_unhealthy()
    {
        Fill(1);
        using IHost host = HostOfJobs(builder =>
        {
            builder.Services.AddSingleton(new Script
            {
                Run = static (_, context, _) =>
                    context.Subscription == "default" ? throw new DeadLetterException("no") : Task.CompletedTask,
            });
            builder.AddConsumer<ScriptedHandler>().AddConsumer<ScriptedHandler>("gone");
            builder.Services.AddHealthChecks().AddBlitQueue("jobs", static limits => limits.MaxDeadLetters = 0);
        });
        await host.StartAsync();
        await UntilAsync(() => Log.Of("DeadLettered").Length == 1);
        HealthReportEntry letters = await EntryAsync(host);
        Assert.Equal((HealthStatus.Degraded, "default: 1 dead letters"), (letters.Status, letters.Description));

        MappedQueue<Job> queue = host.Services.GetRequiredService<MappedQueue<Job>>();
        Assert.True(queue.DeleteSubscription("gone"));
        await UntilAsync(() => Log.Of("SubscriptionDeleted").Length > 0);
        HealthReportEntry failed = await EntryAsync(host);
        Assert.Equal(HealthStatus.Unhealthy, failed.Status);
        Assert.StartsWith("gone: the consumer cannot take messages: ", failed.Description, StringComparison.Ordinal);
        await host.StopAsync();
    }

    [Fact]
    public async Task A_disk_that_has_refused_is_unhealthy_and_logged_once_although_nobody_enqueues()
    {
        using IHost host = HostOfJobs(static builder => builder.Services.AddHealthChecks().AddBlitQueue("jobs"));
        await host.StartAsync();
        // What a process whose sync fails writes: docs/FORMAT.md, word "failed".
        using (FileStream control = new(
            Path.Combine(QueuePath, "queue.control"), FileMode.Open, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete))
        {
            control.Position = 2176;
            control.WriteByte(5);
        }
        HealthReportEntry entry = await EntryAsync(host);
        Assert.Equal(
            (HealthStatus.Unhealthy, "the disk has refused a sync, and the queue takes no more messages"),
            (entry.Status, entry.Description));
        await UntilAsync(() => Log.Of("SyncFailed").Length == 1);
        await host.StopAsync();
    }

    private async Task<HealthReportEntry> CheckAsync(int jobs, Action<BlitQueueHealthOptions> limits)
    {
        Fill(jobs);
        using IHost host = HostOfJobs(builder => builder.Services.AddHealthChecks().AddBlitQueue("jobs", limits));
        await host.StartAsync();
        HealthReportEntry entry = await EntryAsync(host);
        await host.StopAsync();
        return entry;
    }

    private static async Task<HealthReportEntry> EntryAsync(IHost host) =>
        (await host.Services.GetRequiredService<HealthCheckService>().CheckHealthAsync()).Entries["BlitQueue_jobs"];
}
