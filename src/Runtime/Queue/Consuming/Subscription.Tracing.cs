using BlitQueue.Log;

namespace BlitQueue;

/// <content>Receiving while there is a listener for traces: messages that carry a context have a span of their own.</content>
public sealed partial class Subscription<T>
{
    internal string QueuePath => _store.Files.Directory;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryDequeueTraced([NotNullWhen(true)] ref T? message, MessageProperties? properties)
    {
        DateTimeOffset began = DateTimeOffset.UtcNow;
        List<ActivityContext> contexts = [];
        if (!TryDequeueNoting(ref message, properties, contexts))
        {
            return false;
        }
        if (contexts.Count > 0)
        {
            QueueTracing.NoteReceived(QueuePath, Name, "dequeue", contexts, 1, began);
        }
        return true;
    }

    // One by one, because each message's properties are read.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private int TryDequeueTraced(Span<T?> messages)
    {
        DateTimeOffset began = DateTimeOffset.UtcNow;
        List<ActivityContext> contexts = [];
        int count = 0;
        try
        {
            while (count < messages.Length && TryDequeueNoting(ref messages[count], properties: null, contexts))
            {
                count++;
            }
        }
        catch when (count > 0)
        {
            // What was taken is the caller's; the next call meets the same again.
        }
        if (contexts.Count > 0)
        {
            QueueTracing.NoteReceived(QueuePath, Name, "dequeue", contexts, count, began);
        }
        return count;
    }

    private bool TryDequeueNoting(
        [NotNullWhen(true)] ref T? message, MessageProperties? properties, List<ActivityContext> contexts)
    {
        MessageProperties read = properties ?? QueueTracing.Borrow();
        try
        {
            if (!TryDequeueUntraced(ref message, read))
            {
                return false;
            }
            if (read.IsFilled && QueueTracing.TryRead(read, out ActivityContext context))
            {
                contexts.Add(context);
            }
            return true;
        }
        finally
        {
            if (properties is null)
            {
                QueueTracing.GiveBack(read);
            }
        }
    }

    private void NoteReceived(ReadOnlySpan<Lease<T>> leases, DateTimeOffset began)
    {
        List<ActivityContext> contexts = ContextsOf(leases);
        if (contexts.Count > 0)
        {
            QueueTracing.NoteReceived(QueuePath, Name, "receive", contexts, leases.Length, began);
        }
    }

    /// <summary>The contexts of the messages that carry one.</summary>
    internal List<ActivityContext> ContextsOf(ReadOnlySpan<Lease<T>> leases)
    {
        List<ActivityContext> contexts = [];
        MessageProperties read = QueueTracing.Borrow();
        foreach (Lease<T> lease in leases)
        {
            try
            {
                if (ReadProperties(lease.Held, read) && QueueTracing.TryRead(read, out ActivityContext context))
                {
                    contexts.Add(context);
                }
            }
            catch (Exception exception) when (exception is QueueException or InvalidOperationException)
            {
                // Its reader is told.
            }
        }
        QueueTracing.GiveBack(read);
        return contexts;
    }
}
