using BenchmarkDotNet.Attributes;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;

namespace BlitQueue.Bench.Micro;

/// <summary>Calls of a server on another thread, by handles of its own: both spin, unless the method says that they sleep.</summary>
public class RpcBench
{
    private const int Many = 64;

    private readonly ValueTask<RpcLetter>[] _calls = new ValueTask<RpcLetter>[Many];
    private readonly RpcLetter[] _replies = new RpcLetter[Many];
    private readonly CancellationTokenSource _end = new();
    private ScratchDirectory _scratch = null!;
    private RpcServer<RpcLetter, RpcLetter> _server = null!;
    private RpcClient<RpcLetter, RpcLetter> _client = null!;
    private Thread _serving = null!;
    private RpcLetter _request = null!;
    private RpcLetter? _reply;

    /// <summary>Bytes of the request.</summary>
    [Params(8, 1024, 512 * 1024)]
    public int Size { get; set; }

    /// <summary>Opens them in shared memory where there is such a thing.</summary>
    [GlobalSetup]
    public void Setup()
    {
        _scratch = new ScratchDirectory(onDisk: false);
        string path = Path.Combine(_scratch.Path, "channel");
        // So long a spin that neither side sleeps.
        var spin = TimeSpan.FromMilliseconds(100);
        _server = RpcServer<RpcLetter, RpcLetter>.OpenFile(path, new RpcServerOptions { SpinDuration = spin });
        _client = RpcClient<RpcLetter, RpcLetter>.OpenFile(path, new RpcClientOptions { SpinDuration = spin });
        _request = new RpcLetter { Body = new byte[Size] };
        _serving = new Thread(Serve) { IsBackground = true };
        _serving.Start();
        Array.Fill(_replies, new RpcLetter());
    }

    // A reply as long as the request up to 1 KB; a long request is answered by a short reply.
    private void Serve()
    {
        byte[] body = new byte[Size <= 1024 ? Size : 8];
        try
        {
            _server.Serve(
                (_, reuse, _) =>
                {
                    reuse ??= new RpcLetter();
                    reuse.Body = body;
                    return reuse;
                },
                _end.Token);
        }
        catch (OperationCanceledException)
        {
        }
    }

    /// <summary>Ends the server, and deletes the channel.</summary>
    [GlobalCleanup]
    public void Cleanup()
    {
        _end.Cancel();
        _serving.Join();
        _client.Dispose();
        _server.Dispose();
        _scratch.Dispose();
    }

    /// <summary>One call after the other.</summary>
    [Benchmark]
    public void Call() => _client.Call(in _request, ref _reply);

    /// <summary>64 calls that are begun before the first is awaited, all on one thread.</summary>
    [Benchmark(OperationsPerInvoke = Many)]
    public async Task SixtyFourInFlight()
    {
        for (int i = 0; i < Many; i++)
        {
            _calls[i] = _client.CallAsync(_request, _replies[i]);
        }
        for (int i = 0; i < Many; i++)
        {
            _replies[i] = await _calls[i];
        }
    }
}
