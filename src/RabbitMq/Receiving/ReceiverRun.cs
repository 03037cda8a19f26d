using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;

namespace BlitQueue.RabbitMq;

/// <summary>What happens on one channel: messages are taken in batches, written, then acknowledged.</summary>
internal sealed class ReceiverRun<T>(
    IChannel channel, Inbox<T> inbox, MarkStore marks, GapWaits waits, ReceiverOptions options, BridgeStatus status, RetryDelay delay)
    where T : IPackable<T>
{
    private readonly Channel<Delivery> _arrivals =
        Channel.CreateUnbounded<Delivery>(new UnboundedChannelOptions { SingleReader = true });

    private readonly ArrivalOrder _order = new(marks, waits, TimeProvider.System);
    private readonly List<Delivery> _next = [];
    private readonly List<Delivery> _before = [];

    // Since when the broker sends no more, because all that it may send ahead waits for earlier messages.
    private long? _fullSince;

    /// <summary>Receives until something goes wrong with the channel.</summary>
    /// <exception cref="MessageGapException">A message is missing.</exception>
    public async Task ReceiveAsync(CancellationToken cancellationToken)
    {
        await channel.BasicQosAsync(0, (ushort)options.Prefetch, global: false, cancellationToken).ConfigureAwait(false);
        await channel.BasicConsumeAsync(options.Queue, autoAck: false, MakeConsumer(), cancellationToken).ConfigureAwait(false);
        status.NoteConnected();
        try
        {
            await PumpAsync(cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _order.NoteWaits();
        }
        throw new BridgeException(BridgeProblem.Unreachable, $"The broker ended the consumer of '{options.Queue}'.");
    }

    private async Task PumpAsync(CancellationToken cancellationToken)
    {
        while (await WaitAsync(cancellationToken).ConfigureAwait(false))
        {
            Collect();
            await WriteAsync(cancellationToken).ConfigureAwait(false);
            if (IsOverdue)
            {
                await MeetGapAsync(cancellationToken).ConfigureAwait(false);
            }
            LeaveIfFull();
        }
    }

    // What is missing may have come back to the broker, as from a connection that broke. With a new connection it sends all in order.
    private void LeaveIfFull()
    {
        _fullSince = _order.Early < options.Prefetch ? null : _fullSince ?? TimeProvider.System.GetTimestamp();
        if (_fullSince is { } since && TimeProvider.System.GetElapsedTime(since) >= LongestFull)
        {
            throw new BridgeException(
                BridgeProblem.Gap,
                $"All {options.Prefetch:N0} messages that the broker sends ahead wait for earlier ones: the receiver connects anew, to get "
                + $"them in order. {_order.DescribeGap(options.Queue).Message}");
        }
    }

    private TimeSpan LongestFull => options.GapPatience / 4;

    private AsyncEventingBasicConsumer MakeConsumer()
    {
        var consumer = new AsyncEventingBasicConsumer(channel);
        consumer.ReceivedAsync += (_, delivered) =>
        {
            _arrivals.Writer.TryWrite(Delivery.Copy(delivered));
            return Task.CompletedTask;
        };
        consumer.UnregisteredAsync += (_, _) => End(new BridgeException(
            BridgeProblem.MissingQueue, $"The broker ended the consumer of '{options.Queue}': the queue was deleted, or has moved."));
        channel.ChannelShutdownAsync += (_, reason) => End(new BridgeException(
            Problems.Of(reason), $"The broker closed the channel: {reason.ReplyCode} {reason.ReplyText}", reason.Exception));
        return consumer;
    }

    private Task End(Exception why)
    {
        _arrivals.Writer.TryComplete(why);
        return Task.CompletedTask;
    }

    // Returns early enough to notice that a message has waited for too long.
    private async Task<bool> WaitAsync(CancellationToken cancellationToken)
    {
        status.LookForProof();
        ValueTask<bool> arrival = _arrivals.Reader.WaitToReadAsync(cancellationToken);
        TimeSpan? proof = status.ProofLeft;
        if (_order.Early == 0 && proof is null)
        {
            return await arrival.ConfigureAwait(false);
        }
        Task<bool> waiting = arrival.AsTask();
        TimeSpan left = _order.Early == 0 ? proof!.Value : options.GapPatience - Waited;
        if (_fullSince is { } since)
        {
            left = TimeSpan.FromTicks(Math.Min(left.Ticks, (LongestFull - TimeProvider.System.GetElapsedTime(since)).Ticks));
        }
        await Task.WhenAny(waiting, Task.Delay(left > TimeSpan.Zero ? left : TimeSpan.Zero, cancellationToken)).ConfigureAwait(false);
        cancellationToken.ThrowIfCancellationRequested();
        return !waiting.IsCompleted || await waiting.ConfigureAwait(false);
    }

    private TimeSpan Waited => _order.EarlySince is { } since ? TimeProvider.System.GetElapsedTime(since) : TimeSpan.Zero;

    private bool IsOverdue => _order.Early > 0 && Waited >= options.GapPatience;

    private void Collect()
    {
        _next.Clear();
        _before.Clear();
        while (_next.Count < options.BatchSize && _before.Count < options.BatchSize && _arrivals.Reader.TryRead(out Delivery? arrived))
        {
            status.AddReceived();
            if (arrived.SourceId is null)
            {
                _next.Add(arrived);
            }
            else
            {
                _order.Take(arrived, _next, _before);
            }
        }
        status.Window = _order.Early;
    }

    private async Task WriteAsync(CancellationToken cancellationToken)
    {
        if (_next.Count > 0)
        {
            await inbox.WriteAsync(_next, cancellationToken).ConfigureAwait(false);
            delay.Reset();
        }
        if (_order.Early > 0 && Waited > options.GapPatience / 2)
        {
            status.Note(BridgeProblem.Gap, _order.DescribeGap(options.Queue).Message);
        }
        else if (_next.Count + _before.Count > 0)
        {
            status.Clear();
        }
        status.AddDuplicates(_before.Count);
        await AcknowledgeAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task AcknowledgeAsync(CancellationToken cancellationToken)
    {
        List<Delivery> done = [.. _next, .. _before];
        if (done.Count == 0)
        {
            return;
        }
        // Everything that came up to here is done, unless something waits for earlier ones.
        if (_order.Early == 0)
        {
            await channel.BasicAckAsync(done.Max(static one => one.Tag), multiple: true, cancellationToken).ConfigureAwait(false);
            return;
        }
        foreach (Delivery one in done)
        {
            await channel.BasicAckAsync(one.Tag, multiple: false, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task MeetGapAsync(CancellationToken cancellationToken)
    {
        MessageGapException gap = _order.DescribeGap(options.Queue);
        status.AddGap();
        status.Note(BridgeProblem.Gap, gap.Message);
        if (options.OnGap == GapMode.Stop)
        {
            throw gap;
        }
        _next.Clear();
        _before.Clear();
        _order.AcceptGap(_next, _before);
        await WriteAsync(cancellationToken).ConfigureAwait(false);
    }
}
