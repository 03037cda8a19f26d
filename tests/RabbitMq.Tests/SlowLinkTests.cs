using System.Net;
using System.Net.Sockets;

namespace BlitQueue.RabbitMq.Tests;

/// <summary>A line to the broker on which a large message takes longer than a broker is waited for that answers nothing.</summary>
public sealed class SlowLinkTests(Broker broker) : BridgeFixture(broker)
{
    private const int BytesPerSecond = 40_000, Step = 100;

    private int _bytesPerSecond = BytesPerSecond;
    private volatile bool _isStopped;

    [BrokerFact]
    public async Task A_message_that_takes_long_to_send_gets_through()
    {
        using var end = new CancellationTokenSource();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Task accepting = AcceptAsync(listener, end.Token);
        Run(ReceiverOptions);
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Hosts = [listener.LocalEndpoint.ToString()!];
        Forwarder<Parcel> forwarder = Run(options);
        await UntilAsync(() => forwarder.GetState().Connected);
        Send(0, 1, filling: 25 * BytesPerSecond);
        Send(1, 10);
        Assert.Equal([.. Enumerable.Range(0, 11).Select(static one => (long)one)], await TakeAsync(11));
        await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None, SetAside: 0 });
        // The first attempt was given up, and the next one had more time.
        Assert.Equal(2, forwarder.GetState().Connections);
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => accepting);
    }

    /// <summary>A connection that takes no more bytes, and gives none, looks alive until something is awaited.</summary>
    [BrokerFact]
    public async Task A_line_that_stands_still_is_told()
    {
        using var end = new CancellationTokenSource();
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        (_bytesPerSecond, Task accepting) = (1 << 30, AcceptAsync(listener, end.Token));
        Run(ReceiverOptions);
        ForwarderOptions options = ForwarderOptions;
        options.Broker.Hosts = [listener.LocalEndpoint.ToString()!];
        Forwarder<Parcel> forwarder = Run(options);
        Send(0, 10);
        await UntilAsync(forwarder, static state => state is { Messages: 10 });
        _isStopped = true;
        Send(10, 300, filling: 100_000);
        await UntilAsync(forwarder, BridgeProblem.Unreachable);
        Assert.False(forwarder.GetState().Connected);
        _isStopped = false;
        Assert.Equal([.. Enumerable.Range(0, 310).Select(static one => (long)one)], await TakeAsync(310));
        await UntilAsync(forwarder, static state => state is { Lag: 0, Problem: BridgeProblem.None });
        await end.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => accepting);
    }

    private async Task AcceptAsync(TcpListener listener, CancellationToken cancellationToken)
    {
        for (; ; )
        {
            TcpClient near = await listener.AcceptTcpClientAsync(cancellationToken);
            _ = CarryAsync(near, cancellationToken);
        }
    }

    private async Task CarryAsync(TcpClient near, CancellationToken cancellationToken)
    {
        using (near)
        {
            using var far = new TcpClient();
            await far.ConnectAsync(IPAddress.Loopback, Broker.Port, cancellationToken);
            Task back = CarryAsync(far.GetStream(), near.GetStream(), 1 << 30, cancellationToken);
            await CarryAsync(near.GetStream(), far.GetStream(), _bytesPerSecond, cancellationToken);
            far.Close();
            await Task.WhenAny(back);
        }
    }

    private async Task CarryAsync(NetworkStream from, NetworkStream to, int bytesPerSecond, CancellationToken cancellationToken)
    {
        byte[] piece = new byte[Math.Min(bytesPerSecond * (long)Step / 1_000, 1 << 20)];
        for (int read; (read = await from.ReadAsync(piece, cancellationToken)) > 0;)
        {
            do
            {
                await Task.Delay(bytesPerSecond == BytesPerSecond || _isStopped ? Step : 0, cancellationToken);
            }
            while (_isStopped);
            await to.WriteAsync(piece.AsMemory(0, read), cancellationToken);
        }
    }
}
