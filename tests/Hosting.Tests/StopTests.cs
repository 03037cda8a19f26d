using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;

namespace BlitQueue.Hosting.Tests;

/// <summary>How hosts of this process stop, and what is left behind.</summary>
public sealed class StopTests : HostFixture
{
    [Fact]
    public async Task Handlers_that_run_finish_while_nothing_more_is_taken_and_what_waits_is_given_back()
    {
        Fill(5);
        var begun = new TaskCompletionSource();
        var finish = new TaskCompletionSource();
        using IHost host = Stopping(TimeSpan.FromMinutes(5), async (_, cancellationToken) =>
        {
            begun.TrySetResult();
            await finish.Task.WaitAsync(cancellationToken);
        });
        await host.StartAsync();
        await begun.Task.WaitAsync(Patience);
        Task stop = host.StopAsync();
        // Leased in one step with the one that runs, and free again before that has finished.
        await UntilAsync(() => Status().Subscriptions[0] is { InFlight: 1, Lag: 4 });
        finish.SetResult();
        await stop;
        host.Dispose();
        Assert.Equal([(1, 1), (2, 1), (3, 1), (4, 1)], Left());
        Assert.Empty(Log.Of("GivenBackAtStop"));
    }

    [Fact]
    public async Task A_handler_that_hears_its_token_gives_its_message_back_uncounted()
    {
        Fill(1);
        var begun = new TaskCompletionSource();
        using IHost host = Stopping(
            TimeSpan.FromMinutes(5),
            async (_, cancellationToken) =>
            {
                begun.TrySetResult();
                await Task.Delay(Timeout.Infinite, cancellationToken);
            },
            finish: TimeSpan.Zero);
        await host.StartAsync();
        await begun.Task.WaitAsync(Patience);
        await host.StopAsync();
        Assert.Empty(Log.Of("HandlerFailed"));
        Assert.Equal([(0, 1)], Left());
    }

    [Fact]
    public async Task What_a_handler_that_hangs_had_goes_to_another_host_and_its_late_return_changes_nothing()
    {
        Fill(1);
        var begun = new TaskCompletionSource();
        var hang = new TaskCompletionSource();
        using IHost host = Stopping(TimeSpan.FromSeconds(1), async (_, _) =>
        {
            begun.TrySetResult();
            await hang.Task;
        });
        await host.StartAsync();
        await begun.Task.WaitAsync(Patience);
        await host.StopAsync();
        Assert.Equal(1, Status().Subscriptions[0].Lag);
        Assert.Contains(" 1 messages were given back", Assert.Single(Log.Of("GivenBackAtStop")).Text, StringComparison.Ordinal);

        // The first host is not disposed yet: its handle is open, and its handler runs.
        var attempts = new List<int>();
        var other = new TaskCompletionSource();
        using IHost second = Stopping(TimeSpan.FromMinutes(5), async (context, _) =>
        {
            attempts.Add(context.Attempt);
            hang.TrySetResult();
            await UntilAsync(() => Log.Of("HandlerLate").Length == 1);
            other.SetResult();
        });
        await second.StartAsync();
        await other.Task.WaitAsync(Patience);
        await second.StopAsync();
        Assert.Equal([1], attempts);
        Assert.Equal(0, Status().MessageCount);
    }

    private IHost Stopping(TimeSpan shutdown, Func<MessageContext, CancellationToken, Task> run, TimeSpan? finish = null) =>
        HostOfJobs(builder =>
        {
            builder.Services.Configure<HostOptions>(options => options.ShutdownTimeout = shutdown);
            builder.Services.AddSingleton(new Script { Run = (_, context, cancellationToken) => run(context, cancellationToken) });
            builder.AddConsumer<ScriptedHandler>(configure: options =>
            {
                options.BatchSize = 8;
                options.FinishTime = finish;
            });
        });

    // Ids and attempts of what is delivered next.
    private List<(int Id, int Attempt)> Left()
    {
        using var queue = MappedQueue<Job>.Open(QueuePath);
        using Subscription<Job> subscription = queue.Subscribe("default");
        List<(int, int)> left = [];
        while (subscription.TryReceive(out Lease<Job> lease))
        {
            left.Add((lease.Read().Id, lease.Attempt));
            lease.Commit();
        }
        return left;
    }
}
