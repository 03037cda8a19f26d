using System.Runtime.CompilerServices;
using System.Threading.Channels;
using BlitQueue.Memory;

namespace BlitQueue;

public sealed partial class Subscription<T>
{
    private Func<bool, bool>? _look;

    /// <summary>Takes and consumes the next message, waiting without a thread until there is one.</summary>
    /// <param name="reuse">
    /// An instance to fill, or null to get a new one. It is the call's until its task ends; where that ends with an exception, its content
    /// may have changed.
    /// </param>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; completed already when there was one.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public ValueTask<T> DequeueAsync(T? reuse = default, CancellationToken ct = default)
    {
        if (ct.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<T>(ct);
        }
        try
        {
            return TryDequeue(ref reuse) ? new ValueTask<T>(reuse!) : DequeueWaiting(reuse, ct);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<T>(exception);
        }
    }

    /// <summary>Takes and consumes one message after the other, for <c>await foreach</c>; waits without a thread where there is none.</summary>
    /// <param name="ct">Ends the enumeration with <see cref="OperationCanceledException"/>; no message was taken then.</param>
    /// <returns>
    /// Messages without end, each a new instance that is the caller's to keep. A message is taken when it is asked for, never ahead.
    /// </returns>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public async IAsyncEnumerable<T> ReadAllAsync([EnumeratorCancellation] CancellationToken ct = default)
    {
        for (;;)
        {
            yield return await DequeueAsync(default, ct).ConfigureAwait(false);
        }
    }

    /// <summary>Takes the next message without consuming it, waiting without a thread until there is one.</summary>
    /// <param name="ct">Ends the wait.</param>
    /// <returns>The message; consumed by <see cref="Lease{T}.Commit"/>.</returns>
    /// <exception cref="OperationCanceledException">The token was cancelled; no message was taken.</exception>
    /// <exception cref="QueueCorruptException">The next message is damaged. The position stays; <see cref="SkipCorrupt"/> steps over.</exception>
    /// <exception cref="QueueException">2,047 messages of the subscription are leased already.</exception>
    /// <exception cref="ObjectDisposedException">The queue was disposed, possibly during the wait.</exception>
    public ValueTask<Lease<T>> ReceiveAsync(CancellationToken ct = default)
    {
        if (ct.IsCancellationRequested)
        {
            return ValueTask.FromCanceled<Lease<T>>(ct);
        }
        try
        {
            return TryReceive(out Lease<T> lease) ? new ValueTask<Lease<T>>(lease) : ReceiveWaiting(ct);
        }
        catch (Exception exception)
        {
            return ValueTask.FromException<Lease<T>>(exception);
        }
    }

    /// <summary>The subscription as a channel's reading end, for code that is written for <c>System.Threading.Channels</c>.</summary>
    /// <returns>
    /// A reader that competes for the messages like any other consumer; each one is taken and consumed in one step, into a new instance.
    /// It never completes: a queue has no end. After the queue was disposed its calls throw <see cref="ObjectDisposedException"/>.
    /// </returns>
    public ChannelReader<T> AsChannelReader() => new QueueChannelReader<T>(this);

    /// <summary>Waits until trying to take a message is promising; another consumer may be faster then.</summary>
    internal ValueTask WaitForMessageAsync(CancellationToken ct) => _store.DataWaits.WaitAsync(_look ??= LookForMessage, ct);

    /// <summary>Whether trying to take a message is promising now.</summary>
    internal bool LookForMessage() => LookForMessage(thorough: false);

    /// <summary>Likewise; the argument is true when rare causes are to be looked at too.</summary>
    internal bool LookForMessage(bool thorough)
    {
        using CallGate.Call call = _store.Gate.Enter();
        return IsMessageThere() || (thorough && _cursor.HasLeases && (_leases.HasOrphan() || _store.Transactions.IsAbandoned()));
    }

    private async ValueTask<T> DequeueWaiting(T? message, CancellationToken ct)
    {
        do
        {
            await WaitForMessageAsync(ct).ConfigureAwait(false);
        }
        while (!TryDequeue(ref message));
        return message!;
    }

    private async ValueTask<Lease<T>> ReceiveWaiting(CancellationToken ct)
    {
        Lease<T> lease;
        do
        {
            await WaitForMessageAsync(ct).ConfigureAwait(false);
        }
        while (!TryReceive(out lease));
        return lease;
    }
}
