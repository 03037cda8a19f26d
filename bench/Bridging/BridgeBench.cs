using System.Buffers.Binary;
using System.Diagnostics;
using System.Globalization;
using System.Text;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Reporting;
using BlitQueue.RabbitMq;
using BlitQueue.RabbitMq.Tests;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace BlitQueue.Bench.Bridging;

/// <summary>What the bridge over a broker costs, beside the broker's client alone, with the same broker in the same run.</summary>
internal sealed class BridgeBench(BrokerServer broker, StringBuilder text)
{
    public const string Verb = "rabbitmq";

    private const string Backlogged = "backlog";

    public const int Size = 1024, Window = 1024;

    // So many rounds, because the broker has most of the processors, and takes them unevenly.
    private const int Rounds = 15, WarmUps = 2, Messages = 25_000, Paced = 5_000, PacedWarmUps = 1_000;

    private const int Backlog = 1_000_000, Cut = 10_000;

    // As many messages in the same time, in short bursts and in long ones.
    private static readonly Rhythm Short = new(Burst: 32, PauseMilliseconds: 2, Bursts: 600), Long = new(640, 40, 40);

    // Between two paced messages.
    private static readonly TimeSpan Pace = TimeSpan.FromMilliseconds(2);

    private static readonly double[] Percentiles = [50, 90, 99, 99.9];

    private readonly byte[] _body = new byte[Size];

    public static int Run(string[] arguments)
    {
        if (BrokerServer.Program is null)
        {
            Console.Error.WriteLine("rabbitmq-server is not there: tests/RabbitMq.Tests/install.sh installs it.");
            return 1;
        }
        var text = new StringBuilder();
        MarkdownReport.AppendHead(text, Circumstances.Now(arguments));
        var broker = new BrokerServer();
        try
        {
            broker.BeginAsync().GetAwaiter().GetResult();
            new BridgeBench(broker, text).MeasureAsync(arguments).GetAwaiter().GetResult();
        }
        finally
        {
            broker.End();
        }
        if (arguments is [.., "--output", var path])
        {
            File.WriteAllText(path, text.ToString());
        }
        return 0;
    }

    // The parts that are asked for; where none is, all but the longest.
    private async Task MeasureAsync(string[] arguments)
    {
        (string Name, Func<Task> Run)[] parts =
            [("throughput", ThroughputAsync), ("latency", LatencyAsync), ("enqueue", EnqueueAsync), (Backlogged, BacklogAsync)];
        bool isAny = parts.Any(one => arguments.Contains(one.Name));
        foreach ((_, Func<Task> run) in parts.Where(one => isAny ? arguments.Contains(one.Name) : one.Name != Backlogged))
        {
            await run();
        }
    }

    // The first rounds of each are thrown away, in which everything is compiled, and compiled again for speed.
    private async Task ThroughputAsync()
    {
        (string What, Func<Task<Sending>> Send)[] ways =
        [
            ("bare publisher with confirms", () => PublishBareAsync(isAlike: false)),
            ("the same, with the properties of a forwarder's messages", () => PublishBareAsync(isAlike: true)),
            ("forwarder, whose queue has the messages already", ForwardAsync),
        ];
        var rounds = new List<Sending>[ways.Length];
        for (int round = 0; round < WarmUps + Rounds; round++)
        {
            for (int i = 0; i < ways.Length; i++)
            {
                (rounds[i] ??= []).Add(await ways[i].Send());
            }
        }
        Title($"Throughput: messages of {Size:N0} bytes, one connection, a window of {Window:N0}, a quorum queue of one node");
        Line("| what | messages a second | lowest to highest round | of the bare publisher (bar 0.9) | "
            + "its own processor time, us a message |\n|---|--:|--:|--:|--:|");
        double[] bare = [.. rounds[0].Skip(WarmUps).Select(static one => one.Rate)];
        for (int i = 0; i < ways.Length; i++)
        {
            Row(ways[i].What, [.. rounds[i].Skip(WarmUps)], bare);
        }
    }

    private void Row(string what, Sending[] rounds, double[] bare)
    {
        double[] rates = [.. rounds.Select(static one => one.Rate)];
        Line(string.Create(
            CultureInfo.InvariantCulture,
            $"| {what} | {Median(rates):N0} | {rates.Min():N0} to {rates.Max():N0} | "
                + $"{Median(rates.Zip(bare, static (rate, beside) => rate / beside)):0.00} | "
                + $"{Median(rounds.Select(static one => one.Processor)):0.0} |"));
    }

    private async Task<Sending> PublishBareAsync(bool isAlike)
    {
        string queue = await DeclareAsync();
        await using BarePublisher publisher = await BarePublisher.OpenAsync(broker.ConnectAsync, queue, Window, isAlike);
        var clock = SendingClock.Start();
        for (int i = 0; i < Messages; i++)
        {
            await publisher.PublishAsync(_body);
        }
        await publisher.DrainAsync();
        Sending sent = clock.Stop(Messages);
        await DeleteAsync(queue);
        return sent;
    }

    private async Task<Sending> ForwardAsync()
    {
        string queue = await DeclareAsync();
        using var scratch = new ScratchDirectory(onDisk: true);
        using var outbox = MappedQueue<ByteMessage>.Open(Path.Combine(scratch.Path, "outbox"));
        Fill(outbox, Messages);
        using var end = new CancellationTokenSource();
        var forwarder = new Forwarder<ByteMessage>(
            outbox, new ForwarderOptions { Broker = broker.Options, RoutingKey = queue, Window = Window });
        using var confirmed = new ConfirmCount(Messages);
        SendingClock? clock = null;
        forwarder.ConnectionChanged += (_, _) => clock ??= SendingClock.Start();
        var running = Task.Run(() => forwarder.RunAsync(end.Token));
        await confirmed.All;
        Sending sent = clock!.Value.Stop(Messages);
        await EndAsync(end, running);
        await DeleteAsync(queue);
        return sent;
    }

    private async Task LatencyAsync()
    {
        LatencyHistogram bare = await SendBareAsync(), ours = await SendAsync();
        Title($"From end to end: a message of {Size:N0} bytes each {Pace.TotalMilliseconds} ms, {Paced:N0} of them");
        string titles = string.Join(" | ", Percentiles.Select(static one => string.Create(CultureInfo.InvariantCulture, $"{one} %")));
        Line($"| in milliseconds, within | {titles} | longest |\n|---|{string.Concat(Enumerable.Repeat("--:|", Percentiles.Length + 1))}");
        Row("bare publisher to bare consumer", bare);
        Row("enqueued at A, dequeued at B", ours);
    }

    private void Row(string what, LatencyHistogram times) => Line(string.Create(
        CultureInfo.InvariantCulture,
        $"| {what} | {string.Join(" | ", Percentiles.Select(one => Milliseconds(times.Percentile(one))))} | {Milliseconds(times.Max)} |"));

    private static string Milliseconds(long nanoseconds) => (nanoseconds / 1e6).ToString("0.00", CultureInfo.InvariantCulture);

    private async Task<LatencyHistogram> SendBareAsync()
    {
        string queue = await DeclareAsync();
        var times = new LatencyHistogram();
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.BasicQosAsync(0, 4096, global: false);
        var consumer = new AsyncEventingBasicConsumer(channel);
        var all = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        consumer.ReceivedAsync += async (_, delivered) =>
        {
            Record(times, delivered.Body.Span);
            await channel.BasicAckAsync(delivered.DeliveryTag, multiple: false);
            if (times.Count == Paced)
            {
                all.SetResult();
            }
        };
        await channel.BasicConsumeAsync(queue, autoAck: false, consumer);
        await using BarePublisher publisher = await BarePublisher.OpenAsync(broker.ConnectAsync, queue, Window);
        await PaceAsync(async body => await publisher.PublishAsync(body));
        await all.Task;
        await DeleteAsync(queue);
        return times;
    }

    private async Task<LatencyHistogram> SendAsync()
    {
        string queue = await DeclareAsync();
        using ScratchDirectory a = new(onDisk: true), b = new(onDisk: true);
        using var outbox = MappedQueue<ByteMessage>.Open(Path.Combine(a.Path, "outbox"));
        using var store = MappedStore.Open(b.Path);
        using MappedQueue<ByteMessage> inbox = store.OpenQueue<ByteMessage>("inbox");
        using var end = new CancellationTokenSource();
        var forwarder = new Forwarder<ByteMessage>(
            outbox, new ForwarderOptions { Broker = broker.Options, RoutingKey = queue, Window = Window });
        var receiver = new Receiver<ByteMessage>(store, "inbox", new ReceiverOptions { Broker = broker.Options, Queue = queue });
        var running = Task.WhenAll(Task.Run(() => forwarder.RunAsync(end.Token)), Task.Run(() => receiver.RunAsync(end.Token)));
        while (!forwarder.GetState().Connected || !receiver.GetState().Connected)
        {
            await Task.Delay(10);
        }
        Task<LatencyHistogram> taken = Task.Run(() => TakeAsync(inbox));
        await PaceAsync(body =>
        {
            outbox.Enqueue(new ByteMessage { Payload = body });
            return Task.CompletedTask;
        });
        LatencyHistogram times = await taken;
        await EndAsync(end, running);
        await DeleteAsync(queue);
        return times;
    }

    private static async Task<LatencyHistogram> TakeAsync(MappedQueue<ByteMessage> inbox)
    {
        var times = new LatencyHistogram();
        ByteMessage? message = null;
        while (times.Count < Paced)
        {
            message = await inbox.DequeueAsync(message);
            Record(times, message.Payload);
        }
        return times;
    }

    // Those that come before everything is compiled have no time.
    private static void Record(LatencyHistogram times, ReadOnlySpan<byte> body)
    {
        long due = BinaryPrimitives.ReadInt64LittleEndian(body);
        if (due != 0)
        {
            times.Record(Since(due));
        }
    }

    // The time in each is the one at which it was meant to go.
    private static async Task PaceAsync(Func<byte[], Task> send)
    {
        long started = Stopwatch.GetTimestamp(), step = (long)(Pace.TotalSeconds * Stopwatch.Frequency);
        for (int i = 0; i < PacedWarmUps + Paced; i++)
        {
            long due = started + (i * step);
            while (Stopwatch.GetTimestamp() < due)
            {
                await Task.Delay(1);
            }
            byte[] body = new byte[Size];
            BinaryPrimitives.WriteInt64LittleEndian(body, i < PacedWarmUps ? 0 : due);
            await send(body);
        }
    }

    private static long Since(long timestamp) => (long)Stopwatch.GetElapsedTime(timestamp).TotalNanoseconds;

    private async Task EnqueueAsync()
    {
        string queue = await DeclareAsync(Cut);
        CompareEnqueues(queue, Short, isAlone: false);
        CompareEnqueues(queue, Short, isAlone: true);
        CompareEnqueues(queue, Long, isAlone: false);
        await DeleteAsync(queue);
    }

    // In each round all of them, so that what else the machine does hits all. The bare publisher takes from the processors what the broker
    // and a sender cost at this rate, and does not touch the queue: what the forwarder costs beyond it is the queue's. The consumer touches
    // the queue, and takes nothing else.
    private void CompareEnqueues(string queue, Rhythm rhythm, bool isAlone)
    {
        (string What, Func<string, BridgeProcess?> Begin)[] beside =
        [
            ("nothing", static _ => null),
            ("a bare publisher and its broker, which do not touch the queue", _ => BridgeProcess.Publish(broker.Host, queue, rhythm)),
            ("a process that dequeues, without a broker", static path => BridgeProcess.Consume(path)),
            ("a forwarder and its broker", path => BridgeProcess.Forward(path, broker.Host, queue)),
            ("a forwarder whose broker is away", path => BridgeProcess.Forward(path, "127.0.0.1:1", queue)),
        ];
        List<double[]> rounds = [];
        for (int round = 0; round <= Rounds; round++)
        {
            rounds.Add(Enqueues(round));
        }
        rounds.RemoveAt(0);
        string where = isAlone ? "on a processor of its own, all others on the other" : "the forwarder in another process";
        Title($"Enqueue: {rhythm.Burst} messages of {Size:N0} bytes each {rhythm.PauseMilliseconds} ms, {where}");
        Line("| beside | ns a message, median burst | of nothing beside (bar 1.05) | of the bare publisher |\n|---|--:|--:|--:|");
        for (int row = 0; row < beside.Length; row++)
        {
            int at = row;
            Line(string.Create(
                CultureInfo.InvariantCulture,
                $"| {beside[at].What} | {Median(rounds.Select(one => one[at])):N0} | "
                    + $"{Median(rounds.Select(one => one[at] / one[0])):0.00} | {Median(rounds.Select(one => one[at] / one[1])):0.00} |"));
        }

        // Each round begins with another row, so that none is always measured after the same one.
        double[] Enqueues(int round)
        {
            double[] times = new double[beside.Length];
            for (int i = 0; i < beside.Length; i++)
            {
                int row = (round + i) % beside.Length;
                times[row] = Enqueue(beside[row].Begin, rhythm, isAlone);
            }
            return times;
        }
    }

    private static double Enqueue(Func<string, BridgeProcess?> begin, Rhythm rhythm, bool isAlone)
    {
        using var scratch = new ScratchDirectory(onDisk: true);
        using var outbox = MappedQueue<ByteMessage>.Open(Path.Combine(scratch.Path, "outbox"));
        using BridgeProcess? beside = begin(outbox.Path);
        if (beside is not null)
        {
            Thread.Sleep(TimeSpan.FromSeconds(2));
        }
        using OwnProcessor? own = isAlone ? new OwnProcessor() : null;
        var message = new ByteMessage { Payload = new byte[Size] };
        var clock = new BatchClock(rhythm.Burst);
        for (int i = 0; i < rhythm.Bursts; i++)
        {
            Thread.Sleep(rhythm.Pause);
            clock.Start();
            for (int j = 0; j < rhythm.Burst; j++)
            {
                outbox.Enqueue(in message);
            }
            clock.Mark();
        }
        return clock.MedianNs!.Value;
    }

    // The broker's queue drops its oldest messages, so that its own memory is not what is measured.
    private async Task BacklogAsync()
    {
        string queue = await DeclareAsync(Cut);
        broker.Kill();
        using var scratch = new ScratchDirectory(onDisk: true);
        using var outbox = MappedQueue<ByteMessage>.Open(Path.Combine(scratch.Path, "outbox"));
        using var forwarder = BridgeProcess.Forward(outbox.Path, broker.Host, queue);
        Title($"The broker is down for {Backlog:N0} messages of {Size:N0} bytes");
        Line("| messages that wait | the forwarder's own memory, MB | on the disk, MB |\n|--:|--:|--:|");
        for (int part = 0; part <= 4; part++)
        {
            if (part > 0)
            {
                Fill(outbox, Backlog / 4);
            }
            Thread.Sleep(TimeSpan.FromSeconds(3));
            NoteBacklog(outbox, forwarder, scratch.Path);
        }
        await broker.StartAsync();
        long started = Stopwatch.GetTimestamp();
        while (outbox.GetStatus().MessageCount > 0)
        {
            await Task.Delay(20);
        }
        double seconds = Stopwatch.GetElapsedTime(started).TotalSeconds;
        NoteBacklog(outbox, forwarder, scratch.Path);
        Line(string.Create(
            CultureInfo.InvariantCulture,
            $"\nOnce the broker takes connections, all are confirmed within {seconds:0.0} s, the forwarder's pause included: "
                + $"{Backlog / seconds:N0} messages a second."));
    }

    private void NoteBacklog(MappedQueue<ByteMessage> outbox, BridgeProcess forwarder, string directory)
    {
        long size = Directory.EnumerateFiles(directory, "*", SearchOption.AllDirectories).Sum(static one => new FileInfo(one).Length);
        Line(string.Create(
            CultureInfo.InvariantCulture,
            $"| {outbox.GetStatus().MessageCount:N0} | {forwarder.OwnMemory / 1e6:0.0} | {size / 1e6:N0} |"));
    }

    private void Fill(MappedQueue<ByteMessage> outbox, int count)
    {
        var message = new ByteMessage { Payload = _body };
        for (int i = 0; i < count; i++)
        {
            outbox.Enqueue(in message);
        }
    }

    private async Task<string> DeclareAsync(int? mostMessages = null)
    {
        string queue = $"bench-{Guid.NewGuid():N}";
        var arguments = new Dictionary<string, object?> { ["x-queue-type"] = "quorum", ["x-single-active-consumer"] = true };
        if (mostMessages is { } most)
        {
            (arguments["x-max-length"], arguments["x-overflow"]) = (most, "drop-head");
        }
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeclareAsync(queue, durable: true, exclusive: false, autoDelete: false, arguments);
        // A node that is killed at once after this would have forgotten its member of the queue.
        await Task.Delay(TimeSpan.FromSeconds(mostMessages is null ? 1 : 6));
        return queue;
    }

    private async Task DeleteAsync(string queue)
    {
        await using IConnection connection = await broker.ConnectAsync();
        await using IChannel channel = await connection.CreateChannelAsync();
        await channel.QueueDeleteAsync(queue);
    }

    private static async Task EndAsync(CancellationTokenSource end, Task running)
    {
        await end.CancelAsync();
        await running.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
    }

    private static double Median(IEnumerable<double> values)
    {
        double[] sorted = [.. values.Order()];
        return sorted[sorted.Length / 2];
    }

    private void Title(string title) => Line($"\n## {title}\n");

    // Told as it comes, too.
    private void Line(string line)
    {
        text.Append(line).Append('\n');
        Console.Error.WriteLine(line);
    }

    // What sending took: messages a second, and microseconds that this process's threads had a processor for each of them.
    private readonly record struct Sending(double Rate, double Processor);

    private readonly struct SendingClock
    {
        private readonly long _started;
        private readonly TimeSpan _used;

        private SendingClock(long started, TimeSpan used) => (_started, _used) = (started, used);

        public static SendingClock Start() => new(Stopwatch.GetTimestamp(), Environment.CpuUsage.TotalTime);

        public Sending Stop(int messages) => new(
            messages / Stopwatch.GetElapsedTime(_started).TotalSeconds,
            (Environment.CpuUsage.TotalTime - _used).TotalMicroseconds / messages);
    }
}
