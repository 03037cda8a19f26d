using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace BlitQueue.Hosting.Tests;

/// <summary>Where a queue comes from, and what is wrong with it before the host runs.</summary>
public sealed class StartTests : HostFixture
{
    [Fact]
    public async Task A_path_that_cannot_be_opened_fails_the_start_with_the_text_of_Open()
    {
        File.WriteAllText(QueuePath, "no queue");
        QueueException expected = Assert.Throws<QueueException>(() => MappedQueue<Job>.Open(QueuePath));
        bool hasStarted = false;
        using IHost host = HostOf(services =>
        {
            // Added first, and yet it starts after the queue was opened.
            services.AddHostedService(_ => new Started(() => hasStarted = true));
            services.AddBlitQueue<Job>("jobs", options => options.Path = QueuePath);
        });
        QueueException thrown = await Assert.ThrowsAsync<QueueException>(() => host.StartAsync());
        Assert.Equal(expected.Message, thrown.Message);
        Assert.False(hasStarted);
        Assert.Contains(expected.Message, Assert.Single(Log.Of("QueueOpenFailed")).Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_section_then_a_connection_string_then_the_callback_say_how_the_queue_is_opened()
    {
        using IHost host = HostOf(
            services => services.AddBlitQueue<Job>("jobs", options => options.SoftLimit = 3000),
            ("BlitQueue:jobs:Path", FileOf("elsewhere")), ("BlitQueue:jobs:capacity", "1048576"), ("BlitQueue:jobs:SoftLimit", "1000"),
            ("BlitQueue:jobs:Durability", "interval"), ("BlitQueue:jobs:FlushInterval", "00:00:00.200"),
            ("BlitQueue:jobs:Consumers:default:Concurrency", "3"),
            ("ConnectionStrings:jobs", $"Path={QueuePath};SoftLimit=2000;Stamps=\"Time, Producer\";FileMode=0660"));
        await host.StartAsync();
        BlitQueueOptions options = host.Services.GetRequiredService<IOptionsMonitor<BlitQueueOptions>>().Get("jobs");
        Assert.Equal(
            (QueuePath, 1048576, 3000, Durability.Interval, TimeSpan.FromMilliseconds(200), MessageStamps.Time | MessageStamps.Producer),
            (options.Path, options.Capacity, options.SoftLimit, options.Durability, options.FlushInterval, options.Stamps));
        Assert.Equal(
            UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.GroupWrite, options.FileMode);
        MappedQueue<Job> queue = host.Services.GetRequiredService<MappedQueue<Job>>();
        Assert.Equal((QueuePath, 1048576), (queue.Path, queue.GetStatus().Capacity));
        await host.StopAsync();
    }

    [Theory]
    [InlineData("BlitQueue:jobs:Capactiy", "1", "BlitQueue:jobs:Capactiy is not known. The keys are Path, SegmentSize, ")]
    [InlineData("BlitQueue:jobs:Capacity", "much", "BlitQueue:jobs:Capacity is 'much': write a whole number")]
    [InlineData("BlitQueue:jobs:FlushInterval", "50", "BlitQueue:jobs:FlushInterval is '50': write a time as hours")]
    [InlineData("BlitQueue:jobs:Durability", "1", "BlitQueue:jobs:Durability is '1': write one of PageCache, Interval, Commit")]
    [InlineData("BlitQueue:jobs:UseChecksums", "yes", "BlitQueue:jobs:UseChecksums is 'yes': write true or false")]
    [InlineData("BlitQueue:jobs:FileMode", "666x", "BlitQueue:jobs:FileMode is '666x': write the rights in octal")]
    [InlineData("BlitQueue:jobs:SegmentSize", "5", "The queue 'jobs' cannot be opened as its options say (BlitQueue:jobs, ")]
    [InlineData("ConnectionStrings:jobs", "Path=/tmp/x;Group=a", "ConnectionStrings:jobs: group is not known. The keys are Path")]
    [InlineData("ConnectionStrings:jobs", "Durability=Batch", "ConnectionStrings:jobs: durability is 'Batch': write one of PageCache")]
    [InlineData("ConnectionStrings:jobs", "/tmp/x", "ConnectionStrings:jobs is '/tmp/x': ")]
    [InlineData("BlitQueue:jobs:Path", " ", "The queue 'jobs' has no path. Set BlitQueue:jobs:Path in the configuration")]
    [InlineData(
        "BlitQueue:jobs:Consumers:default:Concurency", "2", "BlitQueue:jobs:Consumers:default:Concurency is not known. The keys are Conc")]
    [InlineData(
        "BlitQueue:jobs:Consumers:default:Concurrency", "0",
        "The consumer of 'jobs', subscription 'default', cannot run as its options say (BlitQueue:jobs:Consumers:default, ")]
    [InlineData(
        "BlitQueue:jobs:Consumers:default:FinishTime", "-00:00:01", "BlitQueue:jobs:Consumers:default:FinishTime is -00:00:01: it must be")]
    public async Task What_is_wrong_in_the_configuration_is_named_with_its_section_and_value(string key, string value, string text)
    {
        using IHost host = HostOf(
            services => services.AddBlitQueue<Job>("jobs").AddConsumer<ScriptedHandler>(),
            [.. key == "BlitQueue:jobs:Path" ? ((string, string)[])[] : [("BlitQueue:jobs:Path", QueuePath)], (key, value)]);
        OptionsValidationException thrown = await Assert.ThrowsAsync<OptionsValidationException>(() => host.StartAsync());
        Assert.StartsWith(text, thrown.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_option_of_a_queue_is_one_of_the_host_and_has_a_key()
    {
        string[] queue = [.. typeof(QueueOptions).GetProperties().Select(static one => one.Name).Order()];
        Assert.Equal(
            queue.Append("Path").Order(), typeof(BlitQueueOptions).GetProperties().Select(static one => one.Name).Order());
        Assert.Equal(queue.Append("Path").Except(["TimeProvider"]).Order(), QueueKeys.All.Names.Order());
        Assert.Equal(
            typeof(BlitQueueConsumerOptions).GetProperties().Select(static one => one.Name).Order(), ConsumerKeys.All.Names.Order());
        Assert.Equal(
            typeof(SubscriptionOptions).GetProperties().Concat(typeof(ProcessOptions).GetProperties()).Select(static one => one.Name)
                .Except(["HandlerToken", "Failed"]).Distinct().Append("FinishTime").Append("SkipCorrupt").Order(),
            ConsumerKeys.All.Names.Order());
    }

    [Fact]
    public async Task Queues_have_names_and_the_first_of_a_type_needs_none()
    {
        using IHost host = HostOf(services =>
        {
            services.AddBlitQueue<Job>("jobs", options => options.Path = QueuePath);
            services.AddBlitQueue<Job>("more", options => options.Path = FileOf("more"));
            services.AddSingleton<Keyed>();
        });
        await host.StartAsync();
        Keyed keyed = host.Services.GetRequiredService<Keyed>();
        Assert.Equal((QueuePath, FileOf("more")), (keyed.Jobs.Path, keyed.More.Path));
        Assert.Same(keyed.Jobs, keyed.First);
        Assert.Equal(2, Log.Of("QueueOpened").Length);
        await host.StopAsync();
        host.Dispose();
        Assert.Throws<ObjectDisposedException>(() => keyed.More.Enqueue(new Job()));
    }

    [Fact]
    public void What_cannot_be_added_is_refused_at_once()
    {
        var services = new ServiceCollection();
        services.AddBlitQueue<Job>("jobs").AddConsumer<ScriptedHandler>("a");
        Assert.Throws<InvalidOperationException>(() => services.AddBlitQueue<Other>("jobs"));
        Assert.Throws<InvalidOperationException>(() => services.AddBlitQueue<Job>("jobs").AddBatchConsumer<ScriptedBatchHandler>("a"));
        Assert.Throws<InvalidOperationException>(() => services.AddBlitQueueConsumer<Job, ScriptedHandler>("unknown"));
        services.AddBlitQueueConsumer<Job, ScriptedHandler>("jobs", "b");
    }

    private sealed class Keyed(
        [FromKeyedServices("jobs")] MappedQueue<Job> jobs, [FromKeyedServices("more")] MappedQueue<Job> more, MappedQueue<Job> first)
    {
        public MappedQueue<Job> Jobs => jobs;

        public MappedQueue<Job> More => more;

        public MappedQueue<Job> First => first;
    }

    private sealed class Started(Action start) : BackgroundService
    {
        public override Task StartAsync(CancellationToken cancellationToken)
        {
            start();
            return base.StartAsync(cancellationToken);
        }

        protected override Task ExecuteAsync(CancellationToken stoppingToken) => Task.CompletedTask;
    }
}

/// <summary>Another message.</summary>
[QueueMessage]
public partial class Other
{
    public int Id { get; set; }
}
