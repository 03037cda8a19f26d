using System.Diagnostics;

namespace BlitQueue.RabbitMq;

/// <summary>Writes what arrived, and how far each source was received, in one local transaction.</summary>
internal sealed class Inbox<T>(
    MappedStore store, MappedQueue<T> queue, MappedQueue<RefusedMessage> refused, MarkStore marks, BodyFormat<T>? format,
    BridgeStatus status)
    where T : IPackable<T>
{
    // How long to wait before a commit that found no room on the disk, or a stopped process, is tried again.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    private readonly VersionCheck<T> _versions = new();

    /// <summary>Writes messages in their order, and returns when they are committed. Waits for room for as long as it takes.</summary>
    public async Task WriteAsync(List<Delivery> deliveries, CancellationToken cancellationToken)
    {
        try
        {
            await WriteTogetherAsync(deliveries, mustBeRefused: null, cancellationToken).ConfigureAwait(false);
        }
        catch (UnfitException)
        {
            // One of them can never fit into the local queue: nothing was written.
            foreach (Delivery one in deliveries)
            {
                await WriteAloneAsync(one, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    private async Task WriteAloneAsync(Delivery delivery, CancellationToken cancellationToken)
    {
        try
        {
            await WriteTogetherAsync([delivery], mustBeRefused: null, cancellationToken).ConfigureAwait(false);
        }
        catch (UnfitException exception)
        {
            await WriteTogetherAsync([delivery], mustBeRefused: exception.Message, cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task WriteTogetherAsync(List<Delivery> deliveries, string? mustBeRefused, CancellationToken cancellationToken)
    {
        Dictionary<string, long> next = marks.After(deliveries);
        using QueueTransaction transaction = store.Begin();
        marks.Replace(transaction, next);
        List<RefusedMessage> set = [];
        List<Activity> spans = [];
        try
        {
            foreach (Delivery one in deliveries)
            {
                if ((mustBeRefused ?? SendTraced(transaction, one, spans)) is { } reason)
                {
                    set.Add(Refuse(transaction, one, reason));
                }
            }
            await CommitAsync(transaction, next, cancellationToken).ConfigureAwait(false);
            Count(deliveries.Count, set);
        }
        catch (UnfitException exception) when (deliveries.Count == 1 && set is [var one])
        {
            // Of a kind that is not tried again.
            throw new InvalidDataException(
                $"Message {one.MessageId} is to go to {refused.Path}, which cannot take it: {exception.Message} It is to go there because "
                    + $"of this: {one.Reason} Give that queue a larger capacity, or take the message from the broker's queue: until then "
                    + "each run ends here.",
                exception);
        }
        finally
        {
            spans.ForEach(static span => BridgeTracing.End(span));
        }
    }

    private void Count(int all, List<RefusedMessage> set)
    {
        status.AddMessages(all - set.Count);
        foreach (RefusedMessage one in set)
        {
            // Who sees the count finds the text.
            status.NoteOnce(
                BridgeProblem.UnreadableMessage,
                $"Message {one.MessageId} of source {one.SourceId}, position {one.Position}, went to {refused.Path}: {one.Reason}");
            status.AddSetAside();
        }
    }

    // Notes the marks at once: whatever throws after the commit, as a listener of the spans, what comes again is known.
    private async Task CommitAsync(QueueTransaction transaction, Dictionary<string, long> next, CancellationToken cancellationToken)
    {
        for (; ; )
        {
            try
            {
                if (TryCommit(transaction))
                {
                    marks.Note(next);
                    return;
                }
                status.Note(
                    BridgeProblem.LocalQueueFull,
                    $"{queue.Path} or {refused.Path} is full: messages wait at the broker until consumers have made room.");
                await FitAsync(transaction.CommitAsync(cancellationToken)).ConfigureAwait(false);
                marks.Note(next);
                status.Clear();
                return;
            }
            catch (QueueException exception) when (exception is QueueFullException or QueueStalledException)
            {
                // Nothing has happened, and the transaction is still open.
                status.Note(Problems.Of(exception), exception.Message);
            }
            await Task.Delay(Pause, cancellationToken).ConfigureAwait(false);
        }
    }

    private static bool TryCommit(QueueTransaction transaction)
    {
        try
        {
            return transaction.TryCommit();
        }
        catch (ArgumentException exception)
        {
            throw new UnfitException(exception.Message, exception);
        }
    }

    // The capacity may be made smaller while it waits.
    private static async Task FitAsync(ValueTask commit)
    {
        try
        {
            await commit.ConfigureAwait(false);
        }
        catch (ArgumentException exception)
        {
            throw new UnfitException(exception.Message, exception);
        }
    }

    // The local enqueue is a part of the message's span.
    private string? SendTraced(QueueTransaction transaction, Delivery delivery, List<Activity> spans)
    {
        Activity? before = Activity.Current;
        if (BridgeTracing.StartReceive(status.Destination, status.Queue, delivery) is not { } span)
        {
            return Send(transaction, delivery);
        }
        spans.Add(span);
        try
        {
            string? reason = Send(transaction, delivery);
            if (reason is not null)
            {
                span.SetStatus(ActivityStatusCode.Error, reason).SetTag(BridgeTags.ErrorType, nameof(BridgeProblem.UnreadableMessage));
            }
            return reason;
        }
        finally
        {
            Activity.Current = before;
        }
    }

    // Why the message cannot be one of the queue's; null where it was sent.
    private string? Send(QueueTransaction transaction, Delivery delivery)
    {
        if (WhyForeign(delivery) is { } reason)
        {
            return reason;
        }
        T? message;
        try
        {
            message = IsFormatted(delivery) ? format!.Read(delivery.Body) : Packer.Unpack<T>(delivery.Body);
        }
        catch (Exception exception)
        {
            // A setter or a callback of the type may throw anything.
            return $"It cannot be {(IsFormatted(delivery) ? "read" : "unpacked")}: {exception.GetType().Name}: {exception.Message}";
        }
        if (message is null)
        {
            return "It is null.";
        }
        Enqueue(transaction, message, delivery);
        return null;
    }

    private void Enqueue(QueueTransaction transaction, T message, Delivery delivery)
    {
        MessageProperties properties = Envelope.Read(delivery.Properties, delivery.Origin);
        try
        {
            Enqueue(transaction, message, properties);
        }
        catch (UnfitException) when (properties.MessageId is not null && !delivery.Properties.IsMessageIdPresent())
        {
            // There may be room for all properties but the identity that was made here.
            properties.MessageId = null;
            Enqueue(transaction, message, properties);
        }
    }

    private void Enqueue(QueueTransaction transaction, T message, MessageProperties properties)
    {
        try
        {
            transaction.Enqueue(queue, message, properties);
        }
        catch (ArgumentException exception)
        {
            throw new UnfitException(exception.Message, exception);
        }
        catch (Exception exception) when (exception is not (QueueException or OutOfMemoryException) && IsOfPacking(exception, message))
        {
            // A getter or a callback of the type may throw anything.
            throw new UnfitException($"It cannot be packed: {exception.GetType().Name}: {exception.Message}", exception);
        }
    }

    // The system may refuse the local queue a file: then the message can be packed all the same.
    private static bool IsOfPacking(Exception exception, T message)
    {
        if (exception is not (IOException or UnauthorizedAccessException or ObjectDisposedException))
        {
            return true;
        }
        try
        {
            Packer.Pack(message);
            return false;
        }
        catch (Exception)
        {
            return true;
        }
    }

    private bool IsFormatted(Delivery delivery) =>
        format is not null
        && (Envelope.MediaTypeIn(delivery.ContentType) == format.ContentType
            || (delivery.ContentType is null && delivery.Fingerprint is null));

    private string? WhyForeign(Delivery delivery)
    {
        if (delivery.Fingerprint is null && IsFormatted(delivery))
        {
            return null;
        }
        if (delivery.SourceId is null)
        {
            string formats = format is null ? "" : $", and this receiver reads {format.ContentType}";
            return $"Its app-id is {delivery.Properties.AppId ?? "missing"}, and that of a forwarder's message is {Origin.Form}. Its "
                + $"content type is {delivery.ContentType ?? "missing"}{formats}.";
        }
        return _versions.WhyUnreadable(delivery);
    }

    private RefusedMessage Refuse(QueueTransaction transaction, Delivery delivery, string reason)
    {
        var set = new RefusedMessage
        {
            Reason = reason,
            SourceId = delivery.SourceId,
            Position = delivery.Position,
            Fingerprint = delivery.Fingerprint,
            TypeName = delivery.Properties.Type,
            ContentType = delivery.ContentType,
            MessageId = delivery.MessageId,
            RefusedAt = DateTime.UtcNow,
            Body = delivery.Body,
            SchemaText = delivery.SchemaText,
        };
        transaction.Enqueue(refused, set);
        return set;
    }

    // A message, or all of a batch, can never be in the local queue. Thrown where that is found and nowhere else: what a listener throws
    // behind the commit is no reason to write again.
    private sealed class UnfitException(string message, Exception cause) : Exception(message, cause);
}
