using RabbitMQ.Client;

namespace BlitQueue.RabbitMq;

/// <summary>Looks for the receiver's queue at the broker, or makes it; never changes what is there.</summary>
internal static class ReceiverTopology
{
    public static async Task CheckAsync(IChannel channel, ReceiverOptions options, CancellationToken cancellationToken)
    {
        if (!options.DeclareQueue)
        {
            await channel.QueueDeclarePassiveAsync(options.Queue, cancellationToken).ConfigureAwait(false);
            return;
        }
        var arguments = new Dictionary<string, object?>
        {
            ["x-queue-type"] = options.QueueType,
            ["x-single-active-consumer"] = true,
        };
        if (options.DeadLetterExchange is { } letters)
        {
            arguments["x-dead-letter-exchange"] = letters;
            await DeclareLettersAsync(channel, options, letters, cancellationToken).ConfigureAwait(false);
        }
        await channel.QueueDeclareAsync(
            options.Queue, durable: true, exclusive: false, autoDelete: false, arguments, cancellationToken: cancellationToken)
            .ConfigureAwait(false);
        if (options.Exchange is { } exchange)
        {
            await channel.QueueBindAsync(options.Queue, exchange, options.RoutingKey, cancellationToken: cancellationToken)
                .ConfigureAwait(false);
        }
    }

    private static async Task DeclareLettersAsync(
        IChannel channel, ReceiverOptions options, string letters, CancellationToken cancellationToken)
    {
        string queue = options.Queue + ".dead";
        await channel.ExchangeDeclareAsync(
            letters, ExchangeType.Fanout, durable: true, autoDelete: false, cancellationToken: cancellationToken).ConfigureAwait(false);
        await channel.QueueDeclareAsync(
            queue, durable: true, exclusive: false, autoDelete: false,
            new Dictionary<string, object?> { ["x-queue-type"] = options.QueueType }, cancellationToken: cancellationToken)
            .ConfigureAwait(false);
        await channel.QueueBindAsync(queue, letters, "", cancellationToken: cancellationToken).ConfigureAwait(false);
    }
}
