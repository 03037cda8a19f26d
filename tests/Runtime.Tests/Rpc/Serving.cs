namespace BlitQueue.Tests.Processes;

/// <summary>A server in this process, which serves until it is disposed.</summary>
internal sealed class Serving : IDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly Task _task;

    public Serving(string file, Func<Parcel, RpcContext, ValueTask<Parcel>> handler, RpcServerOptions? options = null)
    {
        Server = RpcServer<Parcel, Parcel>.OpenFile(file, options);
        _task = Server.ServeAsync(handler, _end.Token);
    }

    public Serving(string file, Func<Parcel, RpcContext, IAsyncEnumerable<Parcel>> handler)
    {
        Server = RpcServer<Parcel, Parcel>.OpenFile(file);
        _task = Server.ServeStreamAsync(handler, _end.Token);
    }

    public Serving(string file, RpcHandler<Parcel, Parcel> handler, RpcServerOptions? options = null)
    {
        Server = RpcServer<Parcel, Parcel>.OpenFile(file, options);
        _task = Task.Factory.StartNew(() => Server.Serve(handler, _end.Token), TaskCreationOptions.LongRunning);
    }

    public Serving(string file, RpcBytesHandler<Parcel> handler, RpcServerOptions? options = null)
    {
        Server = RpcServer<Parcel, Parcel>.OpenFile(file, options);
        _task = Task.Factory.StartNew(() => Server.ServeBytes(handler, _end.Token), TaskCreationOptions.LongRunning);
    }

    public RpcServer<Parcel, Parcel> Server { get; }

    /// <summary>The same parcel.</summary>
    public static Serving Echo(string file) => new(file, static (request, _) => new ValueTask<Parcel>(request));

    /// <summary>Takes no more, and waits for the calls that were taken.</summary>
    public void Stop()
    {
        _end.Cancel();
        Assert.ThrowsAny<OperationCanceledException>(() => Soon.Of(_task));
    }

    public void Dispose()
    {
        _end.Cancel();
        Server.Dispose();
        try
        {
            Soon.Of(_task);
        }
        catch (Exception exception) when (exception is OperationCanceledException or ObjectDisposedException)
        {
        }
        _end.Dispose();
    }
}
