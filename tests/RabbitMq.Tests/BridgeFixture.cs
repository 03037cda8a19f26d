using System.Diagnostics;
using System.Net;
using System.Reflection;
using System.Text;
using RabbitMQ.Client;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>Two directories that stand for two machines, and a queue of the broker between them.</summary>
[Collection(BrokerCollection.Name)]
public abstract class BridgeFixture : IDisposable
{
    protected static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private static readonly string Site = typeof(BridgeFixture).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(static attribute => attribute.Key == "SitePath").Value!;

    private readonly string _directory = Directory.CreateTempSubdirectory("blitqueue-bridge-").FullName;
    private readonly CancellationTokenSource _end = new();
    private readonly List<Task> _running = [];

    protected BridgeFixture(Broker broker)
    {
        Broker = broker;
        Outbox = MappedQueue<Parcel>.Open(Path.Combine(_directory, "a"), new QueueOptions { SegmentSize = 1 << 20 });
        Store = MappedStore.Open(StorePath, new QueueOptions { SegmentSize = 1 << 20 });
        Inbox = Store.OpenQueue<Parcel>("parcels");
    }

    protected Broker Broker { get; }

    /// <summary>The name of the queue at the broker.</summary>
    protected string Name { get; } = $"test-{Guid.NewGuid():N}";

    protected MappedQueue<Parcel> Outbox { get; }

    protected MappedStore Store { get; }

    protected MappedQueue<Parcel> Inbox { get; }

    protected string StorePath => Path.Combine(_directory, "b");

    protected string FileOf(string name) => Path.Combine(_directory, name);

    protected ForwarderOptions ForwarderOptions => new() { Broker = Broker.Options, RoutingKey = Name };

    protected ReceiverOptions ReceiverOptions => new() { Broker = Broker.Options, Queue = Name, DeclareQueue = true };

    public void Dispose()
    {
        _end.Cancel();
        try
        {
            Task.WaitAll([.. _running], Patience);
        }
        catch (AggregateException)
        {
            // Each was cancelled, or its test has looked at it.
        }
        Outbox.Dispose();
        Store.Dispose();
        _end.Dispose();
        Directory.Delete(_directory, recursive: true);
        GC.SuppressFinalize(this);
    }

    protected Forwarder<Parcel> Run(ForwarderOptions options, BodyFormat<Parcel>? format = null)
    {
        var forwarder = new Forwarder<Parcel>(Outbox, options, format);
        _running.Add(Task.Run(() => forwarder.RunAsync(_end.Token)));
        return forwarder;
    }

    /// <summary>Runs a forwarder of a queue until the work is done, and ends it.</summary>
    protected static async Task WhileForwardingAsync(
        MappedQueue<Parcel> outbox, ForwarderOptions options, Func<Forwarder<Parcel>, Task> work)
    {
        var forwarder = new Forwarder<Parcel>(outbox, options);
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        await work(forwarder);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
    }

    protected Receiver<Parcel> Run(ReceiverOptions options, BodyFormat<Parcel>? format = null) => Run(options, out _, format);

    protected Receiver<Parcel> Run(ReceiverOptions options, out Task running, BodyFormat<Parcel>? format = null)
    {
        var receiver = new Receiver<Parcel>(Store, "parcels", options, queueOptions: null, format);
        running = Task.Run(() => receiver.RunAsync(_end.Token));
        _running.Add(running);
        return receiver;
    }

    protected void Send(long first, int count, int filling = 0) => Send(Outbox, first, count, filling);

    protected static void Send(MappedQueue<Parcel> outbox, long first, int count, int filling = 0)
    {
        for (long number = first; number < first + count; number++)
        {
            outbox.Enqueue(new Parcel { Number = number, Text = $"parcel {number}", Filling = new byte[filling] });
        }
    }

    /// <summary>
    /// A forwarder ends while one message, too long and without room for its letter, is noted as unsent; B has all others, of which the
    /// forwarder knows the first ten as confirmed.
    /// </summary>
    private protected async Task LeaveUnsentAsync(MappedQueue<Parcel> outbox, SmallDisk disk, int bad, int all)
    {
        using var line = new Line(IPAddress.Loopback, Broker.Port);
        Receiver<Parcel> receiver = Run(ReceiverOptions);
        await UntilAsync(() => receiver.GetState().Connected);
        ForwarderOptions options = ForwarderOptions;
        (options.MaxMessageSize, options.Broker.Hosts) = (1_000, [line.Host]);
        await WhileForwardingAsync(outbox, options, async forwarder =>
        {
            Send(outbox, 0, 10);
            await UntilAsync(() => forwarder.GetState().Messages == 10);
            disk.Fill();
            line.IsMute = true;
            Send(outbox, 10, bad - 10);
            Send(outbox, bad, 1, filling: 2_000);
            Send(outbox, bad + 1, all - bad - 1);
            await UntilAsync(() => receiver.GetState().Messages == all - 1);
        });
        disk.Free();
    }

    /// <summary>A queue that no process has open belongs to another start of the system.</summary>
    protected static void PretendRestart(string path)
    {
        const int BootOffset = 32, BootLength = 64;
        using FileStream control = File.OpenWrite(Path.Combine(path, "queue.control"));
        control.Position = BootOffset;
        control.Write(Encoding.ASCII.GetBytes("another boot".PadRight(BootLength, '\0')));
    }

    /// <summary>Takes messages at B until so many have come, and a little longer to see whether more do.</summary>
    protected async Task<List<long>> TakeAsync(int count)
    {
        List<long> numbers = [];
        using var giveUp = new CancellationTokenSource(Patience);
        using Subscription<Parcel> consumer = Inbox.Subscribe("default");
        Parcel? parcel = null;
        while (numbers.Count < count)
        {
            parcel = await consumer.DequeueAsync(parcel, giveUp.Token);
            Assert.Equal($"parcel {parcel.Number}", parcel.Text);
            numbers.Add(parcel.Number);
        }
        return numbers;
    }

    protected async Task TakeAllInOrderAsync(int count)
    {
        List<long> numbers = await TakeAsync(count);
        Assert.Equal(Enumerable.Range(0, count).Select(static one => (long)one), numbers);
        // Everything was confirmed and consumed, and nothing more is on its way.
        await UntilAsync(() => Outbox.GetStatus().MessageCount == 0);
        await UntilEmptyAsync();
        Assert.Equal(0, Inbox.GetStatus().MessageCount);
    }

    /// <summary>The numbers from 0 on, so many less one, without this one.</summary>
    protected static IEnumerable<long> Without(long number, int count) =>
        Enumerable.Range(0, count).Select(static one => (long)one).Where(one => one != number);

    /// <summary>The messages that became dead letters.</summary>
    protected static long[] Letters(MappedQueue<Parcel> outbox)
    {
        using Subscription<Parcel> subscription = outbox.Subscribe("default");
        return [.. subscription.DeadLetters.Select(static one => one.Message.Number)];
    }

    protected async Task UntilEmptyAsync()
    {
        await using IConnection connection = await Broker.ConnectAsync();
        for (var watch = Stopwatch.StartNew(); ;)
        {
            await using IChannel channel = await connection.CreateChannelAsync();
            if (await channel.MessageCountAsync(Name) == 0 || watch.Elapsed > Patience)
            {
                return;
            }
            await Task.Delay(50);
        }
    }

    protected static Task UntilAsync(Func<bool> isMet) => UntilAsync(isMet, static () => "it did not come to this");

    /// <summary>
    /// The same, and tells the state of a forwarder where it does not come to this. A state is counted just behind the commit that a
    /// consumer or the queue's status shows already: so what was taken may be not counted yet.
    /// </summary>
    protected static Task UntilAsync(Forwarder<Parcel> forwarder, Func<BridgeState, bool> isMet) =>
        UntilAsync(() => isMet(forwarder.GetState()), () => $"it did not come to this: {forwarder.GetState()}");

    /// <summary>The same, and tells how the queue and its forwarder in another process are where it does not come to this.</summary>
    protected static Task UntilAsync(MappedQueue<Parcel> outbox, Process forwarder, long messages) => UntilAsync(
        () => outbox.GetStatus().MessageCount == messages,
        () => $"it did not come to {messages} messages: {outbox.GetStatus()}; the forwarder "
            + (forwarder.HasExited ? $"ended with {forwarder.ExitCode}" : "runs"));

    private static async Task UntilAsync(Func<bool> isMet, Func<string> tell)
    {
        for (var watch = Stopwatch.StartNew(); !isMet(); await Task.Delay(10))
        {
            Assert.True(watch.Elapsed < Patience, tell());
        }
    }

    protected static Task UntilAsync(Forwarder<Parcel> forwarder, BridgeProblem problem) =>
        UntilAsync(forwarder, state => state.Problem == problem);

    protected static Task UntilAsync(Receiver<Parcel> receiver, BridgeProblem problem) =>
        UntilAsync(() => receiver.GetState().Problem == problem);

    protected Task DeclareAsync(params (string Name, object Value)[] arguments) => DeclareAsync(Name, arguments);

    protected async Task DeclareAsync(string queue, params (string Name, object Value)[] arguments)
    {
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeclareAsync(
            queue, durable: true, exclusive: false, autoDelete: false,
            arguments.ToDictionary(static one => one.Name, static one => (object?)one.Value));
    }

    /// <summary>Listens to the bridge's spans, and throws at the end of one of them.</summary>
    /// <param name="operation">How the spans' names begin.</param>
    /// <param name="which">Counted from 1 among these.</param>
    /// <param name="exception">What is thrown.</param>
    /// <param name="isThrown">Whether it was.</param>
    protected static ActivityListener ThrowAtEnd(string operation, int which, Exception exception, out Func<bool> isThrown)
    {
        int left = which;
        isThrown = () => Volatile.Read(ref left) <= 0;
        var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "BlitQueue.RabbitMq",
            Sample = static (ref _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity =>
            {
                if (activity.OperationName.StartsWith(operation, StringComparison.Ordinal) && Interlocked.Decrement(ref left) == 0)
                {
                    throw exception;
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        return listener;
    }

    /// <summary>Publishes what another sender would: a parcel with its headers, or anything.</summary>
    protected async Task PublishAsync(params (BasicProperties Properties, byte[] Body)[] messages)
    {
        await using IConnection connection = await Broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync(new CreateChannelOptions(true, true));
        foreach ((BasicProperties properties, byte[] body) in messages)
        {
            await channel.BasicPublishAsync("", Name, mandatory: true, properties, body);
        }
    }

    protected static (BasicProperties Properties, byte[] Body) Sent(long position, long previous, string source = "me") => (
        new BasicProperties
        {
            Persistent = true,
            ContentType = $"application/x-blitqueue; schema={Parcel.Schema.Fingerprint:x16}",
            Type = "Parcel",
            AppId = $"blitqueue/{source}/{position}/{previous}",
        },
        Packer.Pack(new Parcel { Number = position, Text = $"parcel {position}" }));

    /// <summary>One end as a process: <c>forward</c> or <c>receive</c>.</summary>
    protected Process StartSite(string end, string? path = null) => Process.Start(new ProcessStartInfo(
        Dotnet, SiteArguments(end, path ?? (end == "forward" ? Outbox.Path : StorePath), Broker.Host, [])))!;

    internal static string Dotnet { get; } =
        Path.GetFileNameWithoutExtension(Environment.ProcessPath!) == "dotnet" ? Environment.ProcessPath! : "dotnet";

    protected string[] SiteArguments(string end, string path, string host, string[] more) =>
        ["exec", Site, end, path, host, Name, .. more];
}
