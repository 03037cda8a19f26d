using System.Net;
using System.Net.Sockets;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A line to the broker on which nothing comes back, from the moment when that is asked for; what is sent arrives.</summary>
internal sealed class MuteLine : IAsyncDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly int _port;
    private readonly Task _accepting;

    /// <param name="port">The broker's, on this machine.</param>
    public MuteLine(int port)
    {
        _port = port;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    public string Host => _listener.LocalEndpoint.ToString()!;

    public volatile bool IsMute;

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Dispose();
        await _accepting;
        _end.Dispose();
    }

    private async Task AcceptAsync()
    {
        List<Task> open = [];
        try
        {
            for (; ; )
            {
                open.Add(CarryAsync(await _listener.AcceptTcpClientAsync(_end.Token)));
            }
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException)
        {
            await Task.WhenAll(open);
        }
    }

    private async Task CarryAsync(TcpClient near)
    {
        using TcpClient one = near, far = new();
        try
        {
            await far.ConnectAsync(IPAddress.Loopback, _port, _end.Token);
            near.NoDelay = far.NoDelay = true;
            NetworkStream here = near.GetStream(), there = far.GetStream();
            await Task.WhenAny(here.CopyToAsync(there, _end.Token), CarryBackAsync(there, here));
        }
        catch (Exception exception) when (exception is OperationCanceledException or SocketException or IOException)
        {
            // It is over.
        }
    }

    private async Task CarryBackAsync(NetworkStream from, NetworkStream to)
    {
        byte[] buffer = new byte[1 << 16];
        for (int read; (read = await from.ReadAsync(buffer, _end.Token)) > 0;)
        {
            if (!IsMute)
            {
                await to.WriteAsync(buffer.AsMemory(0, read), _end.Token);
            }
        }
    }
}
