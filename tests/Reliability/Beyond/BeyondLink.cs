using System.Net;
using System.Net.Sockets;

namespace BlitQueue.Reliability.Beyond;

/// <summary>
/// The network between one end and one node of the broker: it hands bytes on, can delay them, and can be cut. A cut link is silent, as an
/// unplugged cable is: neither side is told.
/// </summary>
internal sealed class BeyondLink : IDisposable
{
    private const int ChunkSize = 64 << 10;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Lock _sync = new();
    private readonly List<TcpClient> _open = [];
    private readonly int _port;
    private volatile TaskCompletionSource? _cut;
    private volatile int _delay;

    /// <param name="port">The node's.</param>
    public BeyondLink(int port)
    {
        _port = port;
        _listener.Start();
        _ = AcceptAsync();
    }

    /// <summary>What the end connects to.</summary>
    public string Host => $"127.0.0.1:{((IPEndPoint)_listener.LocalEndpoint).Port}";

    /// <summary>Milliseconds that each piece of a stream takes, both ways.</summary>
    public int Delay
    {
        set => _delay = value;
    }

    public void Cut() => _cut = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The cable is back.</summary>
    /// <param name="severs">Whether something on the way has forgotten the connections meanwhile, and resets them.</param>
    public void Restore(bool severs)
    {
        TaskCompletionSource? cut = _cut;
        _cut = null;
        if (severs)
        {
            CloseAll();
        }
        cut?.TrySetResult();
    }

    public void Dispose()
    {
        _end.Cancel();
        _listener.Stop();
        Restore(severs: true);
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        try
        {
            for (; ; )
            {
                TcpClient near = await _listener.AcceptTcpClientAsync(_end.Token);
                _ = CarryAsync(near);
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // It is disposed.
        }
    }

    private async Task CarryAsync(TcpClient near)
    {
        var far = new TcpClient();
        lock (_sync)
        {
            _open.Add(near);
            _open.Add(far);
        }
        try
        {
            await WhileCutAsync();
            await far.ConnectAsync(IPAddress.Loopback, _port);
            near.NoDelay = far.NoDelay = true;
            await Task.WhenAny(PumpAsync(near.GetStream(), far.GetStream()), PumpAsync(far.GetStream(), near.GetStream()));
        }
        catch (Exception exception)
            when (exception is IOException or SocketException or ObjectDisposedException or InvalidOperationException)
        {
            // The node is not there, or the connections were closed.
        }
        finally
        {
            lock (_sync)
            {
                _open.Remove(near);
                _open.Remove(far);
            }
            near.Dispose();
            far.Dispose();
        }
    }

    // Its own failures end it: the other direction is closed then.
    private async Task PumpAsync(NetworkStream from, NetworkStream to)
    {
        byte[] chunk = new byte[ChunkSize];
        try
        {
            for (int length; (length = await from.ReadAsync(chunk)) > 0;)
            {
                if (_delay is > 0 and var delay)
                {
                    await Task.Delay(delay);
                }
                await WhileCutAsync();
                await to.WriteAsync(chunk.AsMemory(0, length));
            }
        }
        catch (Exception exception) when (exception is IOException or SocketException or ObjectDisposedException)
        {
            // One of the two was closed.
        }
    }

    private Task WhileCutAsync() => _cut?.Task ?? Task.CompletedTask;

    private void CloseAll()
    {
        TcpClient[] open;
        lock (_sync)
        {
            open = [.. _open];
        }
        foreach (TcpClient one in open)
        {
            one.Dispose();
        }
    }
}
