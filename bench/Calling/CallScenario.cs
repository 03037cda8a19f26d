using System.Diagnostics;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Bench.Operations;

namespace BlitQueue.Bench.Calling;

/// <summary>Calls of a server in another process. A reply is as long as its request, and that of a long request is short.</summary>
/// <param name="name">The row's.</param>
/// <param name="isSpinning">Whether both sides look again and again for so long that none sleeps; else both sleep at once.</param>
/// <param name="size">Bytes of a request.</param>
/// <param name="inFlight">How many calls are begun before the first of them is awaited.</param>
internal sealed class CallScenario(string name, bool isSpinning, int size, int inFlight = 1) : Scenario(name, Role.Queue)
{
    private const int Batch = 64;

    public override Sample Measure(TimeSpan duration, string root)
    {
        string path = Path.Combine(root, "channel");
        using var server = new OtherProcess(isSpinning ? Errand.ServeSpinning : Errand.ServeSleeping, path);
        server.Go();
        server.Await();
        using var client = RpcClient<RpcLetter, RpcLetter>.OpenFile(
            path, new RpcClientOptions { SpinDuration = CallServer.SpinOf(isSpinning) });
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

    private CallServer(string path, bool isSpinning)
    {
        _server = RpcServer<RpcLetter, RpcLetter>.OpenFile(path, new RpcServerOptions { SpinDuration = SpinOf(isSpinning) });
        _serving = new Thread(Serve) { IsBackground = true };
        _serving.Start();
    }

    public static Done Start(string path, bool isSpinning) => new([], new CallServer(path, isSpinning));

    public static TimeSpan SpinOf(bool isSpinning) => isSpinning ? TimeSpan.FromMilliseconds(100) : TimeSpan.Zero;

    /// <exception cref="InvalidDataException">The reply is not that of the request.</exception>
    public static void Check(RpcLetter request, RpcLetter reply)
    {
        if (reply.Body.Length != LengthOfReply(request))
        {
            throw new InvalidDataException($"A reply of {reply.Body.Length} bytes to a request of {request.Body.Length}.");
        }
    }

    private static int LengthOfReply(RpcLetter request) => request.Body.Length <= Longest ? request.Body.Length : Short;

    private void Serve()
    {
        try
        {
            _server.Serve(
                static (RpcLetter request, ref RpcLetter? reply, RpcContext _) =>
                {
                    reply ??= new RpcLetter();
                    if (reply.Body.Length != LengthOfReply(request))
                    {
                        reply.Body = new byte[LengthOfReply(request)];
                    }
                },
                _end.Token);
        }
        catch (OperationCanceledException)
        {
        }
    }

    public void Dispose()
    {
        _end.Cancel();
        _serving.Join();
        _server.Dispose();
        _end.Dispose();
    }
}
