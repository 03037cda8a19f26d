using System.Collections.Concurrent;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace BlitQueue.Hosting.Tests;

/// <summary>What becomes of messages that a host consumes.</summary>
public sealed class ConsumerTests : HostFixture
{
    [Fact]
    public async Task Each_message_has_a_scope_and_a_handler_of_its_own()
    {
        Fill(20);
        var count = new Scoped.Count();
        var seen = new ScopedHandler.Seen();
        using IHost host = HostOfJobs(builder =>
        {
            builder.Services.AddSingleton(count).AddSingleton(seen).AddScoped<Scoped>();
            builder.AddConsumer<ScopedHandler>(configure: static options => options.Concurrency = 4);
        });
        await host.StartAsync();
        await UntilAsync(() => Status().MessageCount == 0);
        await host.StopAsync();
        // One was made at the start, to see whether it can be.
        Assert.Equal((20, 21), (seen.Services.Count, count.Disposed));
    }

    [Fact]
    public async Task A_handler_that_cannot_be_made_fails_the_start_and_no_message()
    {
        Fill(1);
        using IHost host = HostOfJobs(static builder => builder.AddConsumer<ScopedHandler>());
        InvalidOperationException thrown = await Assert.ThrowsAsync<InvalidOperationException>(() => host.StartAsync());
        Assert.Contains(typeof(Scoped).FullName!, thrown.Message, StringComparison.Ordinal);
        Assert.Equal((1, 0), (Status().MessageCount, Status().Subscriptions[0].InFlight));
    }

    [Fact]
    public async Task As_many_handlers_as_the_options_say_run_at_once_and_see_where_the_message_comes_from()
    {
        const int Concurrency = 4;
        using (var queue = MappedQueue<Job>.Open(QueuePath))
        {
            for (int id = 0; id < 3 * Concurrency; id++)
            {
                queue.Enqueue(new Job { Id = id }, new MessageProperties { Label = $"label {id}" });
            }
        }
        var labels = new ConcurrentBag<string>();
        int atOnce = 0, most = 0;
        var all = new TaskCompletionSource();
        using IHost host = Consuming(
            async (job, context, _) =>
            {
                int now = Interlocked.Increment(ref atOnce);
                most = Math.Max(most, now);
                if (now == Concurrency)
                {
                    all.TrySetResult();
                }
                await all.Task.WaitAsync(Patience);
                labels.Add($"{context.Queue} {context.Subscription} {context.Attempt} {job.Id} {context.Properties!.Label}");
                Interlocked.Decrement(ref atOnce);
            },
            static options => options.Concurrency = Concurrency);
        await host.StartAsync();
        await UntilAsync(() => Status().MessageCount == 0);
        await host.StopAsync();
        Assert.Equal(Concurrency, most);
        Assert.Equal(
            Enumerable.Range(0, 3 * Concurrency).Select(static id => $"jobs default 1 {id} label {id}").Order(), labels.Order());
        Assert.Equal(["ConsumerStarted", "ConsumerStopped"], Log.All.Where(static line => line.Event.Id is >= 200 and < 300)
            .Select(static line => line.Event.Name));
    }

    [Fact]
    public async Task What_throws_is_tried_again_and_then_a_dead_letter_with_the_reason_and_the_host_runs_on()
    {
        Fill(2);
        var attempts = new ConcurrentQueue<int>();
        using IHost host = Consuming(
            (job, context, _) =>
            {
                if (job.Id == 1)
                {
                    return Task.CompletedTask;
                }
                attempts.Enqueue(context.Attempt);
                throw new FormatException($"no {context.Attempt}");
            },
            static options => options.MaxAttempts = 3);
        await host.StartAsync();
        await UntilAsync(() => Status().Subscriptions[0].DeadLetters == 1 && Status().MessageCount == 0);
        Assert.False(host.Services.GetRequiredService<IHostApplicationLifetime>().ApplicationStopping.IsCancellationRequested);
        await host.StopAsync();
        Assert.Equal([1, 2, 3], attempts);
        Assert.Equal("System.FormatException: no 3", Letter().Reason);
        Assert.Equal(2, Log.Of("HandlerFailed").Length);
        LogLine line = Assert.Single(Log.Of("DeadLettered"));
        Assert.Equal((203, LogLevel.Error), (line.Event.Id, line.Level));
        Assert.EndsWith("no 3", line.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_handler_that_hangs_has_its_message_until_the_stop_and_delays_no_other()
    {
        Fill(20);
        var handled = new ConcurrentBag<int>();
        using IHost host = Consuming(
            async (job, _, cancellationToken) =>
            {
                if (job.Id == 3)
                {
                    await Task.Delay(Timeout.Infinite, cancellationToken);
                }
                handled.Add(job.Id);
            },
            static options =>
            {
                options.Concurrency = 2;
                options.FinishTime = TimeSpan.Zero;
            });
        await host.StartAsync();
        await UntilAsync(() => handled.Count == 19);
        await UntilAsync(() => Status().Subscriptions[0] is { InFlight: 1, Lag: 0 });
        await host.StopAsync();
        Assert.Equal((1, 0), (Status().Subscriptions[0].Lag, Status().Subscriptions[0].InFlight));
        Assert.DoesNotContain(3, handled);
    }

    [Fact]
    public async Task A_handler_may_set_a_message_aside_at_once()
    {
        Fill(1);
        using IHost host = Consuming(static (_, _, _) => throw new DeadLetterException("nobody wants it"));
        await host.StartAsync();
        await UntilAsync(() => Status().Subscriptions[0].DeadLetters == 1);
        await host.StopAsync();
        Assert.Equal(("nobody wants it", 1), (Letter().Reason, Letter().Attempts));
        Assert.Single(Log.Of("DeadLettered"));
        Assert.Empty(Log.Of("HandlerFailed"));
    }

    [Fact]
    public async Task Of_a_batch_that_fails_only_what_cannot_be_handled_becomes_a_dead_letter()
    {
        Fill(10);
        var sizes = new ConcurrentQueue<int>();
        var handled = new ConcurrentBag<int>();
        using IHost host = HostOfJobs(builder =>
        {
            builder.Services.AddSingleton(new BatchScript
            {
                Run = batch =>
                {
                    sizes.Enqueue(batch.Count);
                    if (batch.Any(static one => one.Message.Id == 4))
                    {
                        throw new FormatException("not the fourth");
                    }
                    foreach (QueueDelivery<Job> one in batch)
                    {
                        handled.Add(one.Message.Id);
                    }
                    return Task.CompletedTask;
                },
            });
            builder.AddBatchConsumer<ScriptedBatchHandler>(configure: static options =>
            {
                options.BatchSize = 8;
                options.MaxAttempts = 2;
                options.RetryDelay = Instant;
            });
        });
        await host.StartAsync();
        await UntilAsync(() => Status().Subscriptions[0].DeadLetters == 1 && Status().MessageCount == 0);
        await host.StopAsync();
        Assert.Equal(8, sizes.First());
        Assert.Equal(8, sizes.Count(static size => size == 1));
        Assert.Equal([0, 1, 2, 3, 5, 6, 7, 8, 9], handled.Order());
        Assert.Equal(4, Letter().Message.Id);
    }

    [Fact]
    public async Task A_damaged_message_stops_the_consumer_and_not_the_host_until_it_may_be_skipped()
    {
        using (var queue = MappedQueue<Job>.Open(QueuePath, new QueueOptions { UseChecksums = true }))
        {
            queue.Enqueue(new Job { Id = 0, Text = "damage me" });
            queue.Enqueue(new Job { Id = 1, Text = "sound" });
        }
        Damage("damage me");
        var handled = new ConcurrentQueue<int>();
        using (IHost host = Consuming(Note))
        {
            await host.StartAsync();
            await UntilAsync(() => Log.Of("ConsumerFailed").Length >= 2);
            Assert.Empty(handled);
            await host.StopAsync();
        }
        using (IHost host = Consuming(Note, static options => options.SkipCorrupt = true))
        {
            await host.StartAsync();
            await UntilAsync(() => handled.Count == 1);
            await host.StopAsync();
        }
        Assert.Equal([1], handled);
        Assert.Single(Log.Of("DamageSkipped"));

        Task Note(Job job, MessageContext context, CancellationToken cancellationToken)
        {
            handled.Enqueue(job.Id);
            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task A_second_host_waits_for_an_exclusive_subscription_and_takes_over()
    {
        Fill(1);
        var begun = new SemaphoreSlim(0);
        using IHost first = Consuming(Release, static options => options.Exclusive = true);
        using IHost second = Consuming(Release, static options => options.Exclusive = true);
        await first.StartAsync();
        Assert.True(await begun.WaitAsync(Patience));
        await second.StartAsync();
        await UntilAsync(() => Log.Of("ConsumerFailed").Length > 0);
        await first.StopAsync();
        Fill(1);
        Assert.True(await begun.WaitAsync(Patience));
        await second.StopAsync();

        Task Release(Job job, MessageContext context, CancellationToken cancellationToken)
        {
            begun.Release();
            return Task.CompletedTask;
        }
    }

    [Fact]
    public async Task A_subscription_that_is_deleted_is_told_and_not_made_anew_and_consumed_from_once_it_is_there_again()
    {
        Fill(1);
        var handled = new ConcurrentQueue<int>();
        using IHost host = HostOfJobs(builder =>
        {
            builder.Services.AddSingleton(new Script
            {
                Run = (job, _, _) =>
                {
                    handled.Enqueue(job.Id);
                    return Task.CompletedTask;
                },
            });
            builder.AddConsumer<ScriptedHandler>("second");
            builder.Services.AddHealthChecks().AddBlitQueue("jobs");
        });
        await host.StartAsync();
        HealthCheckService health = host.Services.GetRequiredService<HealthCheckService>();
        using var other = MappedQueue<Job>.Open(QueuePath);
        Assert.True(other.DeleteSubscription("second"));
        other.Enqueue(new Job { Id = 1 });
        await UntilAsync(() => Log.Of("SubscriptionDeleted").Length == 1);
        Assert.Equal(HealthStatus.Unhealthy, (await health.CheckHealthAsync()).Status);
        // Twice as long as the consumer waits before it looks.
        await Task.Delay(TimeSpan.FromSeconds(2));
        Assert.DoesNotContain(Status().Subscriptions, static one => one.Name == "second");

        using (Subscription<Job> again = other.Subscribe("second", new SubscriptionOptions { Start = SubscriptionStart.Newest }))
        {
            other.Enqueue(new Job { Id = 2 });
        }
        await UntilAsync(() => handled.Contains(2) && Log.Of("ConsumerResumed").Length == 1);
        Assert.Equal(HealthStatus.Healthy, (await health.CheckHealthAsync()).Status);
        Assert.Single(Log.Of("SubscriptionDeleted"));
        Assert.Empty(Log.Of("ConsumerFailed"));
        Assert.DoesNotContain(1, handled);
        await host.StopAsync();
    }

    [Fact]
    public async Task An_enqueue_that_waits_for_room_is_logged()
    {
        using IHost host = HostOfJobs(configure: static options => options.Capacity = 4096);
        await host.StartAsync();
        using var enough = new CancellationTokenSource(Patience);
        MappedQueue<Job> queue = host.Services.GetRequiredService<MappedQueue<Job>>();
        var filling = Task.Run(() =>
        {
            while (true)
            {
                queue.Enqueue(new Job { Text = new string('x', 500) }, enough.Token);
            }
        });
        await UntilAsync(() => Log.Of("QueueFull").Length == 1);
        await enough.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => filling);
        Assert.Contains("Subscription 'default'", Log.Of("QueueFull")[0].Text, StringComparison.Ordinal);
        await host.StopAsync();
    }

    [Fact]
    public async Task A_queue_that_passes_its_soft_limit_is_logged()
    {
        using IHost host = HostOfJobs(configure: static options => options.SoftLimit = 4096);
        await host.StartAsync();
        MappedQueue<Job> queue = host.Services.GetRequiredService<MappedQueue<Job>>();
        for (int i = 0; i < 20; i++)
        {
            queue.Enqueue(new Job { Text = new string('x', 500) });
        }
        await UntilAsync(() => Log.Of("SoftLimitReached").Length == 1);
        Assert.EndsWith("the limit is 4096", Log.Of("SoftLimitReached")[0].Text, StringComparison.Ordinal);
        await host.StopAsync();
    }

    private IHost Consuming(
        Func<Job, MessageContext, CancellationToken, Task> run, Action<BlitQueueConsumerOptions>? configure = null) =>
        HostOfJobs(builder =>
        {
            builder.Services.AddSingleton(new Script { Run = run });
            builder.AddConsumer<ScriptedHandler>(configure: options =>
            {
                options.RetryDelay = Instant;
                configure?.Invoke(options);
            });
        });

    private DeadLetter<Job> Letter()
    {
        using var queue = MappedQueue<Job>.Open(QueuePath);
        using Subscription<Job> subscription = queue.Subscribe("default");
        DeadLetter<Job>? letter = null;
        Assert.True(subscription.DeadLetters.TryPeek(ref letter));
        return letter;
    }
}
