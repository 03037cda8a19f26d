using BlitQueue.Log;

namespace BlitQueue;

/// <content>Enqueues while there is a listener for traces: each message carries the context of its span.</content>
internal sealed partial class Producer<T>
{
    private string Path => _store.Files.Directory;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EnqueueTraced(in T message, in WaitLimit limit, MessageProperties? properties = null, Durability? durability = null)
    {
        using QueueSpan span = QueueTracing.StartSend(Path, 1);
        try
        {
            return Sent(span, EnqueueAt(durability ?? Options.Durability, in message, in limit, Carrying(span, properties)));
        }
        catch (Exception exception)
        {
            QueueTracing.Fail(span, exception);
            throw;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private long EnqueueBatchTraced(ReadOnlySpan<T> messages, in WaitLimit limit, MessageProperties? properties = null)
    {
        using QueueSpan span = QueueTracing.StartSend(Path, messages.Length);
        try
        {
            return Sent(span, EnqueueBatchAt(messages, in limit, Carrying(span, properties)));
        }
        catch (Exception exception)
        {
            QueueTracing.Fail(span, exception);
            throw;
        }
    }

    private ValueTask<QueuePosition> EnqueueTracedAsync(
        ReadOnlySpan<T> messages, CancellationToken cancellationToken, MessageProperties? properties, Durability? durability)
    {
        Activity? callers = Activity.Current;
        QueueSpan span = QueueTracing.StartSend(Path, messages.Length);
        try
        {
            return EndAsync(span, EnqueueUntracedAsync(messages, cancellationToken, Carrying(span, properties), durability));
        }
        finally
        {
            // The span goes on; what the caller does next is no part of it.
            Activity.Current = callers;
        }
    }

    private static async ValueTask<QueuePosition> EndAsync(QueueSpan span, ValueTask<QueuePosition> enqueued)
    {
        using QueueSpan ended = span;
        try
        {
            QueuePosition first = await enqueued.ConfigureAwait(false);
            Sent(span, first.Value);
            return first;
        }
        catch (Exception exception)
        {
            QueueTracing.Fail(span, exception);
            throw;
        }
    }

    /// <summary>Packs messages for a transaction, which sends them when it is committed.</summary>
    public void StageSent(ReadOnlySpan<T> messages, StagedBatch staged, MessageProperties? properties = null)
    {
        using QueueSpan span = QueueTracing.IsOn ? QueueTracing.StartSend(Path, messages.Length, "create") : default;
        Stage(messages, staged, QueueTracing.IsOn ? Carrying(span, properties) : properties);
    }

    /// <summary>The same with a message that is packed already.</summary>
    public void StageSentPacked(ReadOnlySpan<byte> message, StagedBatch staged)
    {
        using QueueSpan span = QueueTracing.IsOn ? QueueTracing.StartSend(Path, 1, "create") : default;
        StagePacked(message, staged, QueueTracing.IsOn ? Carrying(span, properties: null) : null);
    }

    // Without the trace's context if both together are longer than properties may be: a listener must not make an enqueue fail.
    private MessageProperties? Carrying(QueueSpan span, MessageProperties? properties)
    {
        MessageProperties? carrying = QueueTracing.Carry(span, properties);
        return _properties.Fits(carrying) ? carrying : properties;
    }

    private static long Sent(QueueSpan span, long position)
    {
        if (position < 0)
        {
            span.Activity?.SetStatus(ActivityStatusCode.Error, "There is no room.").SetTag(QueueTags.ErrorType, "full");
        }
        else if (position > 0)
        {
            span.Activity?.SetTag(QueueTags.MessageId, new QueuePosition(position).ToString());
        }
        return position;
    }
}
