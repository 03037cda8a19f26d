using System.Globalization;
using System.Text;
using BlitQueue.Bench.Messages;
using RabbitMQ.Client;

namespace BlitQueue.Bench.Bridging;

/// <summary>
/// The broker's client and nothing else: one connection, one channel with confirms, at most a window of publishes unconfirmed. Each body is
/// the same array, and there are no headers, unless they are to be as many as a forwarder's.
/// </summary>
internal sealed class BarePublisher : IAsyncDisposable
{
    private readonly IConnection _connection;
    private readonly IChannel _channel;
    private readonly SemaphoreSlim _free;
    private readonly int _window;
    private readonly string _queue;
    private readonly bool _isAlike;
    private readonly Dictionary<string, object?> _headers = new()
    {
        ["blitqueue-schema"] = Encoding.UTF8.GetBytes(ByteMessage.Schema.Text),
    };

    private readonly string _contentType = $"application/x-blitqueue; schema={ByteMessage.Schema.Fingerprint:x16}";
    private ulong _confirmed;
    private long _count;

    private BarePublisher(IConnection connection, IChannel channel, string queue, int window, bool isAlike)
    {
        (_connection, _channel, _queue, _window, _free) = (connection, channel, queue, window, new SemaphoreSlim(window));
        _isAlike = isAlike;
        _channel.BasicAcksAsync += (_, ack) =>
        {
            // One thread of the client raises them; an ack of several means all up to it.
            if (ack.DeliveryTag > _confirmed)
            {
                _free.Release((int)(ack.DeliveryTag - _confirmed));
                _confirmed = ack.DeliveryTag;
            }
            return Task.CompletedTask;
        };
    }

    public static async Task<BarePublisher> OpenAsync(Func<Task<IConnection>> connect, string queue, int window, bool isAlike = false)
    {
        IConnection connection = await connect();
        IChannel channel = await connection.CreateChannelAsync(
            new CreateChannelOptions(publisherConfirmationsEnabled: true, publisherConfirmationTrackingEnabled: false));
        return new BarePublisher(connection, channel, queue, window, isAlike);
    }

    public async Task PublishAsync(ReadOnlyMemory<byte> body)
    {
        await _free.WaitAsync();
        await _channel.BasicPublishAsync("", _queue, mandatory: true, Properties(), body);
    }

    private BasicProperties Properties()
    {
        if (!_isAlike)
        {
            return new BasicProperties { Persistent = true };
        }
        _count += 1_048;
        return new BasicProperties
        {
            Persistent = true,
            ContentType = _contentType,
            Type = ByteMessage.Schema.Name,
            AppId = string.Create(
                CultureInfo.InvariantCulture, $"blitqueue/0123456789abcdef0123456789abcdef/{_count}/{_count - 1_048}"),
            Headers = _headers,
        };
    }

    /// <summary>Returns when all are confirmed.</summary>
    public async Task DrainAsync()
    {
        for (int i = 0; i < _window; i++)
        {
            await _free.WaitAsync();
        }
        _free.Release(_window);
    }

    public async ValueTask DisposeAsync()
    {
        await _connection.CloseAsync();
        await _connection.DisposeAsync();
        _free.Dispose();
    }
}
