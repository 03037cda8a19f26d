using System.Diagnostics;
using BlitQueue.RabbitMq;
using BlitQueue.Reliability.Workers;

namespace BlitQueue.Reliability.Beyond;

/// <summary>The two machines: A's queue and its forwarder, B's store and its receiver. May be used by several threads.</summary>
/// <param name="run">Where problems are counted and violations told.</param>
/// <param name="part">Of the run.</param>
/// <param name="root">A directory for A's queue.</param>
/// <param name="storePath">The directory of B's store.</param>
/// <param name="name">The queue at the broker.</param>
internal sealed class BeyondEnds(CampaignRun run, long part, string root, string storePath, string name) : IDisposable
{
    /// <summary>The receiver's queue in its store.</summary>
    public const string Inbox = "parcels";

    private const int LongestBody = 2_000;

    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 20 };

    private readonly Lock _sync = new();
    private readonly Dictionary<string, Process> _processes = [];
    private readonly HashSet<string> _problems = [];
    private MappedQueue<Parcel>? _outbox;

    /// <summary>The hosts of the broker, as each end connects to it.</summary>
    public required Func<string, string> HostsOf { get; init; }

    public int Sent { get; private set; }

    public long LeftAtA => MappedQueue.GetStatus(OutboxPath).MessageCount;

    public long CameToB => MappedQueue.GetStatus(Path.Combine(storePath, Inbox)).MessageCount;

    private string OutboxPath => Path.Combine(root, "a");

    /// <summary>Makes both queues, and starts both ends.</summary>
    public void Begin()
    {
        _outbox = MappedQueue<Parcel>.Open(OutboxPath, Small);
        using (var store = MappedStore.Open(storePath, Small))
        {
            store.OpenQueue<Parcel>(Inbox).Dispose();
        }
        Start(BeyondSite.Forward);
        Start(BeyondSite.Receive);
    }

    public void Send(int count, Random random)
    {
        for (int i = 0; i < count; i++)
        {
            _outbox!.Enqueue(new Parcel { Producer = 1, Number = Sent++, Body = new byte[random.Next(LongestBody)] });
        }
        run.Count("messages", count);
    }

    /// <summary>SIGKILL.</summary>
    public void Kill(string end)
    {
        Process? process;
        lock (_sync)
        {
            _processes.Remove(end, out process);
        }
        if (process is null)
        {
            return;
        }
        if (process.HasExited)
        {
            run.Violate($"--part {part}: '{end}' ended by itself with code {process.ExitCode}: {root}");
        }
        process.Kill();
        process.WaitForExit();
        process.Dispose();
    }

    public void Start(string end)
    {
        Process process = Process.Start(SelfProcess.StartInfo(
            BeyondCampaign.Site, end, end == BeyondSite.Forward ? OutboxPath : storePath, HostsOf(end), name))!;
        process.OutputDataReceived += (_, line) => Take(end, line.Data);
        process.BeginOutputReadLine();
        lock (_sync)
        {
            _processes[end] = process;
        }
    }

    /// <summary>Whether an end has told of a problem since it was last asked.</summary>
    public bool TakeProblem(string end, BridgeProblem problem)
    {
        lock (_sync)
        {
            return _problems.Remove($"{end}: {problem}");
        }
    }

    /// <summary>
    /// Waits until everything has arrived. What is confirmed is consumed at A, and what is written at B is acknowledged: then nothing more
    /// is on its way.
    /// </summary>
    /// <param name="countAtBroker">The messages in the broker's queue.</param>
    /// <param name="patience">How long that may take.</param>
    public async Task UntilArrivedAsync(Func<Task<uint>> countAtBroker, TimeSpan patience)
    {
        for (var watch = Stopwatch.StartNew(); ; await Task.Delay(50))
        {
            if (LeftAtA == 0 && CameToB >= Sent && await countAtBroker() == 0)
            {
                return;
            }
            if (watch.Elapsed > patience)
            {
                run.Violate($"--part {part}: after {patience} {LeftAtA} of {Sent} wait at A, and {CameToB} are at B: {root}");
                return;
            }
        }
    }

    /// <summary>Ends both, takes all messages at B, and compares them with what was sent.</summary>
    public bool Compare()
    {
        Dispose();
        using var store = MappedStore.Open(storePath);
        using MappedQueue<Parcel> inbox = store.OpenQueue<Parcel>(Inbox);
        Parcel? parcel = null;
        int expected = 0;
        for (; inbox.TryDequeue(ref parcel); expected++)
        {
            if (parcel!.Number != expected)
            {
                run.Violate($"--part {part}: message {parcel.Number} is at B where {expected} should be: {root}");
                return false;
            }
        }
        if (expected != Sent)
        {
            run.Violate($"--part {part}: B has {expected} of {Sent} messages: {root}");
        }
        using MappedQueue<RefusedMessage> refused = store.OpenQueue<RefusedMessage>($"refused-{Inbox}");
        if (refused.GetStatus().MessageCount > 0)
        {
            run.Violate($"--part {part}: B has refused {refused.GetStatus().MessageCount} messages: {root}");
            return false;
        }
        return expected == Sent;
    }

    public void Dispose()
    {
        Kill(BeyondSite.Forward);
        Kill(BeyondSite.Receive);
        _outbox?.Dispose();
        _outbox = null;
    }

    private void Take(string end, string? problem)
    {
        if (problem is null)
        {
            return;
        }
        run.Count($"{end}: {problem}");
        lock (_sync)
        {
            _problems.Add($"{end}: {problem}");
        }
    }
}
