using System.Collections.Concurrent;
using System.Diagnostics;

namespace BlitQueue.Tests.Processes;

/// <summary>Threads that serve, with clients that are stopped in the middle of long requests and replies.</summary>
[Collection(ProcessCollection.Name)]
public sealed class RpcStoppedTests : IDisposable
{
    // Longer than any block: the client has to go on writing, or reading.
    private const int Long = 5_000_000, Some = 50, Faulty = 1_000_000;

    private readonly Site _site = new(inMemory: true);
    private readonly ConcurrentQueue<int> _threads = new();
    private volatile Peer? _stops;

    private string File => _site.Queue;

    private static Parcel Of(long number, int length = 100) => new Parcel().Fill(1, number, length);

    private RpcClient<Parcel, Parcel> Open() =>
        RpcClient<Parcel, Parcel>.OpenFile(File, new RpcClientOptions { Timeout = TimeSpan.FromSeconds(10) });

    // Of this process: answered by the server whatever becomes of the others.
    private void RequireAnswers(RpcClient<Parcel, Parcel> client)
    {
        for (int number = 0; number < Some; number++)
        {
            Parcel reply = number % 2 == 0 ? client.Call(Of(number)) : Soon.Of(client.CallAsync(Of(number)).AsTask());
            Assert.Equal((1, number, true), (reply.Producer, reply.Number, reply.IsIntact()));
        }
    }

    // A client that has begun to write its requests when it is stopped: there is no server yet.
    private Peer StopInRequests(int count, params string[] options)
    {
        Peer client = Peer.Start(_site, "rpc-begin", [$"size={Long}", $"count={count}", .. options]).WaitFor("calling");
        client.Stop();
        return client.WaitForStop();
    }

    // Of the same parcel. The requests of another process are answered at length, if they are short.
    private RpcHandler<Parcel, Parcel> Echo(Action<Parcel>? before = null) => (request, reuse, _) =>
    {
        _threads.Enqueue(Environment.CurrentManagedThreadId);
        before?.Invoke(request);
        int length = request.Producer != 1 && request.Length < Long ? Long : request.Length;
        return (reuse ?? new Parcel()).Fill(request.Producer, request.Number, length);
    };

    private RpcBytesHandler<Parcel> EchoBytes(Action<Parcel>? before = null) => (request, reuse, context) =>
    {
        Parcel? read = null;
        Packer.Unpack(request, ref read);
        return Echo(before)(read!, reuse, context);
    };

    private Serving Serve(bool inBytes, Action<Parcel>? before = null, RpcServerOptions? options = null) =>
        inBytes ? new Serving(File, EchoBytes(before), options) : new Serving(File, Echo(before), options);

    private static void AwaitNone(Serving server) => Assert.True(
        SpinWait.SpinUntil(() => server.Server.GetStatistics().InFlight == 0, Peer.Patience),
        $"{server.Server.GetStatistics().InFlight} in flight");

    private static void RequireSum(RpcStatistics one) =>
        Assert.Equal(one.Calls, one.Answers + one.Faults + one.TimedOut + one.Cancelled + one.PeersLost + one.Failed + one.InFlight);

    // One call of another process is answered at length while that process is stopped, from within its handler on.
    private Peer StopInReply(Action begin, params string[] options)
    {
        var client = Peer.Start(_site, "rpc-begin", ["count=1", .. options]);
        _stops = client;
        begin();
        return client.WaitForStop();
    }

    private void StopItsClient(Parcel request)
    {
        if (request.Producer != 1 && Interlocked.Exchange(ref _stops, null) is { } client)
        {
            client.Stop();
            client.WaitForStop();
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_client_stopped_inside_of_long_requests_delays_no_other(bool inBytes)
    {
        const int requests = 3;
        using Peer stopped = StopInRequests(requests);
        using Serving server = Serve(inBytes);
        using RpcClient<Parcel, Parcel> client = Open();
        RequireAnswers(client);
        Assert.Equal(requests, server.Server.GetStatistics().InFlight);
        stopped.Continue();
        stopped.WaitFor("answered 0.").WaitFor("answered 1.").WaitFor("answered 2.");
        stopped.Finish();
        AwaitNone(server);
        // No handler has run on another thread.
        Assert.Single(_threads.Distinct());
        RpcStatistics counted = server.Server.GetStatistics();
        Assert.Equal((Some + requests, Some + requests), (counted.Calls, counted.Answers));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_client_stopped_inside_of_a_long_reply_delays_no_other_and_gets_its_own_bytes(bool inBytes)
    {
        Serving? server = null;
        using Peer stopped = StopInReply(() => server = Serve(inBytes, StopItsClient));
        using Serving serving = server!;
        using RpcClient<Parcel, Parcel> client = Open();
        // The handler fills the same instance anew.
        RequireAnswers(client);
        Assert.Equal(1, serving.Server.GetStatistics().InFlight);
        stopped.Continue();
        stopped.WaitFor("answered 0.");
        stopped.Finish();
        AwaitNone(serving);
        RequireSum(serving.Server.GetStatistics());
        Assert.Equal(Some + 1, serving.Server.GetStatistics().Answers);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_client_killed_inside_of_a_long_call_leaves_nothing_of_it(bool inReply)
    {
        Serving? server = null;
        using Peer stopped = inReply ? StopInReply(() => server = Serve(inBytes: false, StopItsClient)) : StopInRequests(2);
        using Serving serving = server ?? Serve(inBytes: false);
        using RpcClient<Parcel, Parcel> client = Open();
        RequireAnswers(client);
        stopped.Kill();
        AwaitNone(serving);
        RequireAnswers(client);
        RequireSum(serving.Server.GetStatistics());
        Assert.Equal(inReply ? 1 : 2, serving.Server.GetStatistics().Cancelled);
        serving.Stop();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_stopped_client_that_goes_on_after_its_time_is_told_so(bool inReply)
    {
        Serving? server = null;
        using Peer stopped = inReply ? StopInReply(() => server = Serve(inBytes: false, StopItsClient), "timeout=3000")
            : StopInRequests(1, "timeout=3000");
        using Serving serving = server ?? Serve(inBytes: false);
        using RpcClient<Parcel, Parcel> client = Open();
        RequireAnswers(client);
        // By the time of the call: the server sees it, too.
        AwaitNone(serving);
        stopped.Continue();
        stopped.WaitFor($"{nameof(RpcTimeoutException)} 0.");
        stopped.Finish();
        RequireAnswers(client);
        serving.Stop();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_thread_that_serves_answers_what_it_has_taken_before_it_ends(bool inReply)
    {
        Serving? server = null;
        using Peer stopped = inReply ? StopInReply(() => server = Serve(inBytes: false, StopItsClient)) : StopInRequests(2);
        using Serving serving = server ?? Serve(inBytes: false);
        using RpcClient<Parcel, Parcel> client = Open();
        RequireAnswers(client);
        var stopping = Task.Run(serving.Stop);
        // The server takes no further calls.
        Assert.True(SpinWait.SpinUntil(() => IsRefused(client), Peer.Patience));
        Assert.False(stopping.IsCompleted);
        stopped.Continue();
        stopped.WaitFor("answered 0.");
        Soon.Of(stopping);
        stopped.Finish();
        Assert.Equal(0, serving.Server.GetStatistics().InFlight);
    }

    private static bool IsRefused(RpcClient<Parcel, Parcel> client)
    {
        try
        {
            client.Call(Of(1), TimeSpan.FromSeconds(1));
            return false;
        }
        catch (Exception exception) when (exception is PeerLostException or RpcTimeoutException)
        {
            return true;
        }
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void A_disposed_server_ends_calls_of_stopped_clients(bool inReply)
    {
        Serving? server = null;
        using Peer stopped = inReply ? StopInReply(() => server = Serve(inBytes: false, StopItsClient)) : StopInRequests(2);
        Serving serving = server ?? Serve(inBytes: false);
        using RpcClient<Parcel, Parcel> client = Open();
        RequireAnswers(client);
        serving.Dispose();
        RpcStatistics counted = serving.Server.GetStatistics();
        Assert.Equal(0, counted.InFlight);
        RequireSum(counted);
        stopped.Continue();
        stopped.WaitFor($"{nameof(PeerLostException)} 0.");
        stopped.Finish();
    }

    [Fact]
    public void No_more_calls_than_may_run_at_a_time_wait_without_a_thread()
    {
        const int requests = 3;
        using Peer stopped = StopInRequests(requests);
        using Serving server = Serve(inBytes: false, options: new RpcServerOptions { Concurrency = 1 });
        // One waits without the thread, and the thread waits for the next.
        Assert.True(SpinWait.SpinUntil(() => server.Server.GetStatistics().Calls == 2, Peer.Patience));
        Thread.Sleep(100);
        Assert.Equal(2, server.Server.GetStatistics().Calls);
        stopped.Continue();
        stopped.WaitFor("answered 0.").WaitFor("answered 1.").WaitFor("answered 2.");
        stopped.Finish();
        AwaitNone(server);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Eight_threads_answer_while_clients_are_stopped_let_go_and_killed(int seed)
    {
        const int threads = 8, others = 3, rounds = 12;
        var random = new Random(seed);
        using var end = new CancellationTokenSource();
        using var server = RpcServer<Parcel, Parcel>.OpenFile(File, new RpcServerOptions { Concurrency = 1000 });
        Task[] serving =
        [
            .. Enumerable.Range(0, threads).Select(thread => Task.Factory.StartNew(
                () => ServeOn(server, thread % 2 == 0, end.Token), TaskCreationOptions.LongRunning)),
        ];
        using RpcClient<Parcel, Parcel> client = Open();
        var peers = new List<Peer>();
        for (int round = 0; round < rounds; round++)
        {
            while (peers.Count < others)
            {
                peers.Add(Peer.Start(_site, "rpc-call", $"size={Long / 2}", "at-once=5", "count=1000000").WaitFor("ready"));
            }
            Peer one = peers[random.Next(others)];
            Thread.Sleep(random.Next(30));
            one.Stop();
            one.WaitForStop();
            RequireAnswers(client);
            Assert.Throws<RpcFaultException>(() => client.Call(Of(Faulty)));
            if (random.Next(2) == 0)
            {
                one.Kill();
                one.WaitForDeath();
                peers.Remove(one);
                one.Dispose();
            }
            else
            {
                one.Continue();
            }
        }
        RequireAnswers(client);
        foreach (Peer one in peers)
        {
            // Each call of it was answered by its own parcel.
            Assert.False(one.HasExited, one.Output);
            one.Kill();
            one.WaitForDeath();
            one.Dispose();
        }
        Assert.True(SpinWait.SpinUntil(() => server.GetStatistics().InFlight == 0, Peer.Patience));
        end.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() => Soon.Of(serving));
        RequireSum(server.GetStatistics());
    }

    private void ServeOn(RpcServer<Parcel, Parcel> server, bool inBytes, CancellationToken cancellationToken)
    {
        if (inBytes)
        {
            server.ServeBytes(EchoBytes(Fail), cancellationToken);
        }
        else
        {
            server.Serve(Echo(Fail), cancellationToken);
        }

        static void Fail(Parcel request)
        {
            if (request.Number == Faulty && request.Producer == 1)
            {
                throw new InvalidOperationException("faulty");
            }
        }
    }

    [Fact]
    public void The_span_of_a_call_that_waits_is_not_that_of_the_others()
    {
        var ended = new ConcurrentQueue<Activity>();
        var current = new ConcurrentQueue<(bool IsLong, Activity? Span)>();
        using var listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name is "BlitQueue",
            Sample = static (ref ActivityCreationOptions<ActivityContext> _) => ActivitySamplingResult.AllDataAndRecorded,
            ActivityStopped = span =>
            {
                if (span.Kind == ActivityKind.Server && span.GetTagItem("messaging.destination.name") as string == File)
                {
                    ended.Enqueue(span);
                }
            },
        };
        ActivitySource.AddActivityListener(listener);
        using Peer stopped = StopInRequests(1);
        using Serving server = Serve(
            inBytes: false, before: request => current.Enqueue((request.Length == Long, Activity.Current)));
        using RpcClient<Parcel, Parcel> client = Open();
        RequireAnswers(client);
        stopped.Continue();
        stopped.WaitFor("answered 0.");
        RequireAnswers(client);
        Assert.True(SpinWait.SpinUntil(() => ended.Count == (2 * Some) + 1, Peer.Patience));
        Assert.Equal((2 * Some) + 1, current.Select(static one => one.Span).Distinct().Count());
        Assert.All(current, one => Assert.Contains(one.Span, ended));
        Activity waited = Assert.Single(current, static one => one.IsLong).Span!;
        Assert.All(ended, span => Assert.NotSame(waited, span.Parent));
        stopped.Finish();
    }

    public void Dispose() => _site.Dispose();
}
