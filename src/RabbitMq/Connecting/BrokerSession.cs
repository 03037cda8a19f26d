using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>One connection with one channel, given up as a whole at the first thing that goes wrong.</summary>
internal sealed class BrokerSession : IAsyncDisposable
{
    // A broker that does not answer the good-bye delays the next attempt by no more than this.
    private static readonly TimeSpan CloseTime = TimeSpan.FromSeconds(2);

    private long _published;

    private BrokerSession(IConnection connection, IChannel channel, GatheringStream? stream)
    {
        Connection = connection;
        Channel = channel;
        Stream = stream;
    }

    public IConnection Connection { get; }

    public IChannel Channel { get; }

    /// <summary>What gathers publishes; null where nothing does.</summary>
    public GatheringStream? Stream { get; }

    /// <summary>Connects to one of the broker's nodes.</summary>
    /// <param name="options">Where and who.</param>
    /// <param name="name">For the broker's lists.</param>
    /// <param name="confirms">
    /// Whether the broker confirms publishes. The client's own tracking stays off: it has an object for each message, and searches all of
    /// them at each confirm of many.
    /// </param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    public static async Task<BrokerSession> OpenAsync(
        BrokerOptions options, string name, bool confirms, CancellationToken cancellationToken)
    {
        AmqpTcpEndpoint[] endpoints = [.. options.Endpoints];
        Random.Shared.Shuffle(endpoints);
        GatheringClient? client = null;
        ConnectionFactory factory = options.CreateFactory(confirms ? made => client = made : null);
        IConnection connection = await factory
            .CreateConnectionAsync(endpoints, options.ClientName ?? name, cancellationToken).ConfigureAwait(false);
        try
        {
            // One delivery at a time, whatever the factory says: their order counts.
            var channelOptions = new CreateChannelOptions(
                confirms, publisherConfirmationTrackingEnabled: false, consumerDispatchConcurrency: 1);
            IChannel channel = await connection.CreateChannelAsync(channelOptions, cancellationToken).ConfigureAwait(false);
            return new BrokerSession(connection, channel, client?.Stream);
        }
        catch
        {
            await CloseAsync(connection).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>A publish follows. It may wait for others, until <see cref="Send"/>.</summary>
    public void BeginPublish()
    {
        _published++;
        Stream?.Gather();
    }

    /// <summary>No publish follows just now: what waits is sent.</summary>
    public void Send() => Stream?.Send(_published);

    /// <summary>The same, and waits for no publish that the client has not written, or in a form that is not recognized.</summary>
    public void SendAll() => Stream?.Send(0);

    public async ValueTask DisposeAsync()
    {
        // A publish that was cancelled is never written, and the good-bye is not to wait for it.
        SendAll();
        await CloseAsync(Connection).ConfigureAwait(false);
    }

    // The client may take longer than it was given: the rest of it goes on by itself.
    private static Task CloseAsync(IConnection connection) => Task.WhenAny(CloseFullyAsync(connection), Task.Delay(CloseTime));

    private static async Task CloseFullyAsync(IConnection connection)
    {
        try
        {
            await connection.CloseAsync(200, "closed by its program", CloseTime, abort: true).ConfigureAwait(false);
            await connection.DisposeAsync().ConfigureAwait(false);
        }
        catch (Exception)
        {
            // What is wrong with the connection was noted when it was given up.
        }
    }
}
