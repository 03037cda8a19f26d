using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Globalization;
using System.Runtime.InteropServices;
using BlitQueue.Bench.Messages;
using BlitQueue.RabbitMq;
using RabbitMQ.Client;

namespace BlitQueue.Bench.Bridging;

/// <summary>A forwarder, a bare publisher or a consumer in a process of its own, as beside a program that enqueues.</summary>
internal sealed class BridgeProcess : IDisposable
{
    public const string Verb = "rabbitmq-forwarder", PublisherVerb = "rabbitmq-publisher", ConsumerVerb = "rabbitmq-consumer";

    private readonly Process _process;

    private BridgeProcess(params string[] arguments)
    {
        string program = Environment.ProcessPath!;
        string[] self = Path.GetFileNameWithoutExtension(program) == "dotnet" ? [typeof(BridgeProcess).Assembly.Location] : [];
        _process = Process.Start(new ProcessStartInfo(program, [.. self, .. arguments]) { RedirectStandardInput = true })!;
    }

    public static BridgeProcess Forward(string path, string host, string queue) => new(Verb, path, host, queue);

    /// <summary>Publishes as many messages as the program beside it enqueues, and knows nothing of its queue.</summary>
    public static BridgeProcess Publish(string host, string queue, Rhythm rhythm) =>
        new(PublisherVerb, host, queue, $"{rhythm.Burst}", $"{rhythm.PauseMilliseconds}");

    /// <summary>Takes what is enqueued, each millisecond, and does nothing else.</summary>
    public static BridgeProcess Consume(string path) => new(ConsumerVerb, path);

    /// <summary>Its memory that is its own, without mapped files and programs, bytes.</summary>
    public long OwnMemory => long.Parse(
        File.ReadLines($"/proc/{_process.Id}/status").First(static line => line.StartsWith("RssAnon:", StringComparison.Ordinal))[8..^2],
        NumberStyles.AllowLeadingWhite | NumberStyles.AllowTrailingWhite, CultureInfo.InvariantCulture) << 10;

    /// <summary>What the process does, until its input ends.</summary>
    public static int Run(string path, string host, string queue)
    {
        using var end = new CancellationTokenSource();
        using var messages = MappedQueue<ByteMessage>.Open(path);
        var broker = new BrokerOptions { Hosts = [host], MaxRetryDelay = TimeSpan.FromSeconds(1) };
        var forwarder = new Forwarder<ByteMessage>(messages, new ForwarderOptions { Broker = broker, RoutingKey = queue });
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        Console.In.ReadToEnd();
        end.Cancel();
        Task.WaitAny(running);
        return 0;
    }

    /// <summary>What a publisher does, until its input ends.</summary>
    public static int RunPublisher(string host, string queue, Rhythm rhythm)
    {
        using var end = new CancellationTokenSource();
        var running = Task.Run(() => PublishAsync(host, queue, rhythm, end.Token));
        Console.In.ReadToEnd();
        end.Cancel();
        Task.WaitAny(running);
        return 0;
    }

    /// <summary>What a consumer does, until its input ends.</summary>
    public static int RunConsumer(string path)
    {
        using var end = new CancellationTokenSource();
        using var messages = MappedQueue<ByteMessage>.Open(path);
        var running = Task.Run(() =>
        {
            ByteMessage? message = null;
            for (; !end.IsCancellationRequested; Thread.Sleep(1))
            {
                while (messages.TryDequeue(ref message))
                {
                }
            }
        });
        Console.In.ReadToEnd();
        end.Cancel();
        running.Wait();
        return 0;
    }

    private static async Task PublishAsync(string host, string queue, Rhythm rhythm, CancellationToken end)
    {
        var factory = new ConnectionFactory { Uri = new Uri($"amqp://{host}") };
        await using BarePublisher publisher =
            await BarePublisher.OpenAsync(() => factory.CreateConnectionAsync(end), queue, BridgeBench.Window);
        byte[] body = new byte[BridgeBench.Size];
        var clock = Stopwatch.StartNew();
        for (int burst = 1; !end.IsCancellationRequested; burst++)
        {
            for (int i = 0; i < rhythm.Burst; i++)
            {
                await publisher.PublishAsync(body);
            }
            TimeSpan left = (burst * rhythm.Pause) - clock.Elapsed;
            Thread.Sleep(left > TimeSpan.Zero ? left : TimeSpan.Zero);
        }
    }

    public void Dispose()
    {
        _process.StandardInput.Close();
        _process.WaitForExit();
        _process.Dispose();
    }
}

/// <summary>How messages come: so many at once, then a pause.</summary>
internal sealed record Rhythm(int Burst, int PauseMilliseconds, int Bursts)
{
    public TimeSpan Pause => TimeSpan.FromMilliseconds(PauseMilliseconds);

    /// <summary>A rhythm that goes on until the process ends.</summary>
    public static Rhythm Parse(string burst, string milliseconds) =>
        new(int.Parse(burst, CultureInfo.InvariantCulture), int.Parse(milliseconds, CultureInfo.InvariantCulture), int.MaxValue);
}

/// <summary>
/// Gives the calling thread a processor of its own: the other threads of this process, and all processes that it has started, run on the
/// others until this is disposed.
/// </summary>
internal sealed partial class OwnProcessor : IDisposable
{
    private const string All = "0-1023", Own = "0", Others = "1-1023";

    public OwnProcessor()
    {
        Set(Others);
        Run("-p", "-c", Own, $"{GetThread()}");
    }

    public void Dispose() => Set(All);

    private static void Set(string processors)
    {
        foreach (int process in WithDescendants(Environment.ProcessId))
        {
            Run("-a", "-p", "-c", processors, $"{process}");
        }
    }

    private static IEnumerable<int> WithDescendants(int root)
    {
        ILookup<int, int> children = Directory.EnumerateDirectories("/proc")
            .Select(static path => int.TryParse(Path.GetFileName(path), CultureInfo.InvariantCulture, out int id) ? id : 0)
            .Where(static id => id != 0).ToLookup(ParentOf);
        return Below(root);

        IEnumerable<int> Below(int process) => children[process].SelectMany(Below).Prepend(process);
    }

    // 0 of a process that has ended.
    private static int ParentOf(int process)
    {
        try
        {
            string stat = File.ReadAllText($"/proc/{process}/stat");
            // Behind the name, which may have spaces, and the state.
            return int.Parse(stat[(stat.LastIndexOf(')') + 4)..].Split(' ')[0], CultureInfo.InvariantCulture);
        }
        catch (IOException)
        {
            return 0;
        }
    }

    // A process that has ended meanwhile has no processors.
    private static void Run(params string[] arguments)
    {
        var start = new ProcessStartInfo("taskset", arguments) { RedirectStandardOutput = true, RedirectStandardError = true };
        using Process taskset = Process.Start(start)!;
        taskset.WaitForExit();
    }

    [LibraryImport("libc", EntryPoint = "gettid")]
    private static partial int GetThread();
}

/// <summary>
/// Ends when so many messages were confirmed and consumed, as the forwarder's meter counts them. Its state, if it were asked all the time,
/// would cost as much as the messages.
/// </summary>
internal sealed class ConfirmCount : IDisposable
{
    private readonly MeterListener _listener = new();
    private readonly TaskCompletionSource _all = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private long _count;

    public ConfirmCount(long count)
    {
        _listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name == "blitqueue.forwarder.confirmed")
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<long>((_, more, _, _) =>
        {
            if (Interlocked.Add(ref _count, more) >= count)
            {
                _all.TrySetResult();
            }
        });
        _listener.Start();
    }

    public Task All => _all.Task;

    public void Dispose() => _listener.Dispose();
}
