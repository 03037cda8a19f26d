using System.IO.Pipes;
using System.Net.Sockets;
using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Scenarios;
using Grpc.Core;
using Grpc.Net.Client;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using StreamJsonRpc;

namespace BlitQueue.Bench.Plans;

/// <content>Rows of libraries for calls: <c>-p:CallRivals=true</c>. Their servers run in this process.</content>
internal static partial class RivalRows
{
    static partial void AddCalls(List<Scenario> rows) => rows.AddRange(
    [
        new PairScenario<JsonRpcPair>("StreamJsonRpc over a pipe, 1024 bytes", Role.Peer, static path => new(path)) { BatchSize = 64 },
        new PairScenario<GrpcPair>("gRPC over a Unix domain socket, 1024 bytes", Role.Peer, static path => new(path)) { BatchSize = 64 },
    ]);
}

/// <summary>One call after the other by StreamJsonRpc with its MessagePack formatter.</summary>
internal readonly struct JsonRpcPair : IPair
{
    private readonly NamedPipeServerStream _served;
    private readonly NamedPipeClientStream _called;
    private readonly JsonRpc _server;
    private readonly JsonRpc _client;
    private readonly byte[] _request = new byte[1024];

    public JsonRpcPair(string path)
    {
        string name = $"blitqueue-bench-{Guid.NewGuid():N}";
        _served = new NamedPipeServerStream(name, PipeDirection.InOut, 1, PipeTransmissionMode.Byte, PipeOptions.Asynchronous);
        _called = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous);
        Task connected = _served.WaitForConnectionAsync();
        _called.Connect();
        connected.Wait();
        _server = new JsonRpc(new LengthHeaderMessageHandler(_served, _served, new MessagePackFormatter()));
        _server.AddLocalRpcMethod("Echo", static (byte[] request) => request);
        _server.StartListening();
        _client = new JsonRpc(new LengthHeaderMessageHandler(_called, _called, new MessagePackFormatter()));
        _client.StartListening();
    }

    public long Deliver(long number)
    {
        byte[] reply = _client.InvokeAsync<byte[]>("Echo", _request).GetAwaiter().GetResult();
        return reply.Length == _request.Length ? number : Numbers.End;
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
        _called.Dispose();
        _served.Dispose();
    }
}

/// <summary>One call after the other by gRPC, the bytes as they are.</summary>
internal readonly struct GrpcPair : IPair
{
    private readonly WebApplication _server;
    private readonly GrpcChannel _channel;
    private readonly CallInvoker _invoker;
    private readonly byte[] _request = new byte[1024];

    public GrpcPair(string path)
    {
        string socket = Path.Combine(path, "grpc");
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.Services.AddGrpc();
        builder.WebHost.ConfigureKestrel(
            options => options.ListenUnixSocket(socket, static listen => listen.Protocols = HttpProtocols.Http2));
        _server = builder.Build();
        _server.MapGrpcService<EchoService>();
        _server.StartAsync().GetAwaiter().GetResult();
        _channel = GrpcChannel.ForAddress("http://localhost", new GrpcChannelOptions
        {
            HttpHandler = new SocketsHttpHandler
            {
                ConnectCallback = async (_, cancelled) =>
                {
                    var connection = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
                    await connection.ConnectAsync(new UnixDomainSocketEndPoint(socket), cancelled).ConfigureAwait(false);
                    return new NetworkStream(connection, ownsSocket: true);
                },
            },
        });
        _invoker = _channel.CreateCallInvoker();
    }

    public long Deliver(long number)
    {
        byte[] reply = _invoker.BlockingUnaryCall(EchoBase.EchoMethod, host: null, default, _request);
        return reply.Length == _request.Length ? number : Numbers.End;
    }

    public void Dispose()
    {
        _channel.Dispose();
        _server.StopAsync().GetAwaiter().GetResult();
        ((IDisposable)_server).Dispose();
    }
}

/// <summary>What gRPC's generator would make of a service; it binds methods that a derived class overrides.</summary>
[BindServiceMethod(typeof(EchoBase), nameof(Bind))]
internal abstract class EchoBase
{
    private static readonly Marshaller<byte[]> Bytes = Marshallers.Create(static bytes => bytes, static bytes => bytes);

    public static readonly Method<byte[], byte[]> EchoMethod = new(MethodType.Unary, "Bench", "Echo", Bytes, Bytes);

    public static void Bind(ServiceBinderBase binder, EchoBase? service) =>
        binder.AddMethod(EchoMethod, service is null ? null : service.Echo);

#pragma warning disable VSTHRD200 // The library looks for this name.
    public virtual Task<byte[]> Echo(byte[] request, ServerCallContext context) => throw new NotSupportedException();
#pragma warning restore VSTHRD200
}

/// <summary>Answers with the request.</summary>
internal sealed class EchoService : EchoBase
{
#pragma warning disable VSTHRD200 // As above.
    public override Task<byte[]> Echo(byte[] request, ServerCallContext context) => Task.FromResult(request);
#pragma warning restore VSTHRD200
}
