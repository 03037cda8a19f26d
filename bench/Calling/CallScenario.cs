using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Operations;

namespace BlitQueue.Bench.Calling;

/// <summary>Calls of a server in another process. A reply is as long as its request, and that of a long request is short.</summary>
/// <param name="name">The row's.</param>
/// <param name="errand">What the server does.</param>
/// <param name="size">Bytes of a request.</param>
/// <param name="inFlight">How many calls are begun before the first of them is awaited.</param>
internal sealed class CallScenario(string name, Errand errand, int size, int inFlight = 1) : Scenario(name, Role.Queue)
{
    private const int Batch = 64;

    public override Sample Measure(TimeSpan duration, string root)
    {
        string path = Path.Combine(root, "channel");
        using var server = new OtherProcess(errand, path);
        server.Go();
        server.Await();
        using var client = RpcClient<RpcLetter, RpcLetter>.OpenFile(
            path, new RpcClientOptions { SpinDuration = CallServer.SpinOf(errand) });
        var request = new RpcLetter { Body = new byte[size] };
        return inFlight == 1
            ? CallOneByOne(client, request, duration)
            : CallTogetherAsync(client, request, duration).GetAwaiter().GetResult();
    }

    private static Sample CallOneByOne(RpcClient<RpcLetter, RpcLetter> client, RpcLetter request, TimeSpan duration)
    {
        var clock = new BatchClock(Batch);
        RpcLetter? reply = null;
        long calls = 0, allocated = GC.GetTotalAllocatedBytes(precise: true), started = Stopwatch.GetTimestamp();
        clock.Start();
        do
        {
            for (int i = 0; i < Batch; i++)
            {
                client.Call(in request, ref reply);
                CallServer.Check(request, reply);
            }
            calls += Batch;
            clock.Mark();
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        return SampleOf(calls, Stopwatch.GetElapsedTime(started), GC.GetTotalAllocatedBytes(precise: true) - allocated, clock);
    }

    private async Task<Sample> CallTogetherAsync(RpcClient<RpcLetter, RpcLetter> client, RpcLetter request, TimeSpan duration)
    {
        var clock = new BatchClock(inFlight);
        var pending = new ValueTask<RpcLetter>[inFlight];
        RpcLetter[] replies = [.. Enumerable.Range(0, inFlight).Select(static _ => new RpcLetter())];
        long calls = 0, allocated = GC.GetTotalAllocatedBytes(precise: true), started = Stopwatch.GetTimestamp();
        clock.Start();
        do
        {
            for (int i = 0; i < inFlight; i++)
            {
                pending[i] = client.CallAsync(request, replies[i]);
            }
            for (int i = 0; i < inFlight; i++)
            {
                replies[i] = await pending[i].ConfigureAwait(false);
                CallServer.Check(request, replies[i]);
            }
            calls += inFlight;
            clock.Mark();
        }
        while (Stopwatch.GetElapsedTime(started) < duration);
        return SampleOf(calls, Stopwatch.GetElapsedTime(started), GC.GetTotalAllocatedBytes(precise: true) - allocated, clock);
    }

    private static Sample SampleOf(long calls, TimeSpan elapsed, long allocated, BatchClock clock) =>
        new(calls, elapsed.TotalNanoseconds / calls)
        {
            FirstNs = clock.FirstNs,
            SteadyNs = clock.MedianNs,
            AllocatedHere = (double)allocated / calls,
        };
}

/// <summary>The server in the other process.</summary>
internal sealed class CallServer : IDisposable
{
    private const int Longest = 1024, Short = 8;

    private readonly CancellationTokenSource _end = new();
    private readonly RpcServer<RpcLetter, RpcLetter> _server;
    private readonly Thread _serving;

    private CallServer(string path, Errand errand)
    {
        _server = RpcServer<RpcLetter, RpcLetter>.OpenFile(path, new RpcServerOptions { SpinDuration = SpinOf(errand) });
        _serving = new Thread(() => Serve(errand == Errand.ServeInPlace)) { IsBackground = true };
        _serving.Start();
    }

    public static Done Start(string path, Errand errand) => new([], new CallServer(path, errand));

    /// <summary>So long that neither side sleeps; or both sleep at once.</summary>
    public static TimeSpan SpinOf(Errand errand) => errand == Errand.ServeSleeping ? TimeSpan.Zero : TimeSpan.FromMilliseconds(100);

    /// <exception cref="InvalidDataException">The reply is not that of the request.</exception>
    public static void Check(RpcLetter request, RpcLetter reply)
    {
        if (reply.Body.Length != LengthOfReply(request))
        {
            throw new InvalidDataException($"A reply of {reply.Body.Length} bytes to a request of {request.Body.Length}.");
        }
    }

    private static int LengthOfReply(RpcLetter request) => LengthOfReply(request.Body.Length);

    private static int LengthOfReply(int length) => length <= Longest ? length : Short;

    private void Serve(bool inPlace)
    {
        try
        {
            if (inPlace)
            {
                _server.ServeBytes(AnswerInPlace, _end.Token);
            }
            else
            {
                _server.Serve(
                    static (request, reuse, _) => Fill(reuse, LengthOfReply(request)), _end.Token);
            }
        }
        catch (OperationCanceledException)
        {
        }
    }

    // Each byte is looked at: all are zero.
    private static RpcLetter AnswerInPlace(ReadOnlySpan<byte> request, RpcLetter? reuse, RpcContext context)
    {
        ReadOnlySpan<byte> body = new RpcLetter.View(request).Body.Span;
        if (body.ContainsAnyExcept((byte)0))
        {
            throw new InvalidDataException("A request of other bytes.");
        }
        return Fill(reuse, LengthOfReply(body.Length));
    }

    private static RpcLetter Fill(RpcLetter? reuse, int length)
    {
        RpcLetter reply = reuse ?? new RpcLetter();
        if (reply.Body.Length != length)
        {
            reply.Body = new byte[length];
        }
        return reply;
    }

    public void Dispose()
    {
        _end.Cancel();
        _serving.Join();
        _server.Dispose();
        _end.Dispose();
    }
}
