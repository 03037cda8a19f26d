using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace BlitQueue.RabbitMq;

/// <summary>Collects what the broker says on a channel, from the client's threads, for the one thread that forwards.</summary>
internal sealed class BrokerSignals
{
    private readonly Channel<BrokerSignal> _signals =
        Channel.CreateUnbounded<BrokerSignal>(new UnboundedChannelOptions { SingleReader = true });

    private Task? _waiting;

    public BrokerSignals(BrokerSession session)
    {
        IChannel channel = session.Channel;
        channel.BasicAcksAsync += (_, ack) => Add(new BrokerSignal(SignalKind.Confirmed, ack.DeliveryTag, ack.Multiple));
        channel.BasicNacksAsync += (_, nack) => Add(new BrokerSignal(SignalKind.Refused, nack.DeliveryTag, nack.Multiple));
        channel.BasicReturnAsync += (_, returned) => Add(SignalOf(returned));
        channel.ChannelShutdownAsync += (_, reason) => Add(SignalOf(reason));
        session.Connection.ConnectionBlockedAsync += (_, blocked) => Add(new BrokerSignal(SignalKind.Blocked, Text: blocked.Reason));
        session.Connection.ConnectionUnblockedAsync += (_, _) => Add(new BrokerSignal(SignalKind.Unblocked));
        if (channel.CloseReason is { } closed)
        {
            Add(SignalOf(closed));
        }
    }

    public bool TryRead(out BrokerSignal signal) => _signals.Reader.TryRead(out signal);

    // A wait that something else ended goes on as the next one.
    public Task WaitAsync(CancellationToken cancellationToken) =>
        _waiting = _waiting is { IsCompleted: false } ? _waiting : _signals.Reader.WaitToReadAsync(cancellationToken).AsTask();

    private Task Add(BrokerSignal signal)
    {
        _signals.Writer.TryWrite(signal);
        return Task.CompletedTask;
    }

    private static BrokerSignal SignalOf(ShutdownEventArgs reason) => new(
        SignalKind.Closed,
        Failure: new BridgeException(
            Problems.Of(reason), $"The broker closed the channel: {reason.ReplyCode} {reason.ReplyText}", reason.Exception)
        {
            ReplyCode = reason.ReplyCode,
        });

    private static BrokerSignal SignalOf(BasicReturnEventArgs returned) => new(
        SignalKind.Returned,
        (ulong)(Origin.Parse(returned.BasicProperties.AppId)?.Position ?? -1),
        Text: $"{returned.ReplyCode} {returned.ReplyText}");
}
