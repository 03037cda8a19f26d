using System.Net;
using System.Net.Sockets;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A line to the broker: what connects to it is connected to the broker.</summary>
internal sealed class Line : IDisposable
{
    private readonly CancellationTokenSource _end = new();
    private readonly TcpListener _listener;
    private readonly int _port;
    private readonly Task _accepting;

    /// <param name="near">The address of its near end.</param>
    /// <param name="port">The broker's, on this machine.</param>
    public Line(IPAddress near, int port)
    {
        _listener = new TcpListener(near, 0);
        _port = port;
        _listener.Start();
        _accepting = AcceptAsync();
    }

    /// <summary>The broker, as who connects to it sees it.</summary>
    public string Host => _listener.LocalEndpoint.ToString()!;

    /// <summary>Whether what the broker sends is dropped; what is sent to it arrives.</summary>
    public volatile bool IsMute;

    public void Dispose()
    {
        _end.Cancel();
        _listener.Stop();
        _accepting.Wait();
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
            // It is over, or the broker is not there.
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
