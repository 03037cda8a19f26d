using System.IO.Pipelines;

namespace BlitQueue;

/// <summary>
/// Writes messages to streams and pipes, one or a sequence, and reads them back, none of it held as a whole: each message stands behind its
/// length.
/// </summary>
/// <remarks>
/// The stream or pipe stays open, and is the caller's. One call at a time writes to it, and one reads. <see cref="Packer"/> is for bytes at
/// hand.
/// </remarks>
/// <example>
/// <code>
/// await PackStream.WriteAllAsync(file, orders);                  // any IAsyncEnumerable&lt;Order&gt;
///
/// await foreach (Order? order in PackStream.ReadAllAsync&lt;Order&gt;(file)) Handle(order!);
/// </code>
/// </example>
public static partial class PackStream
{
    // What is handed on at once: enough that a call to the system does not count, little enough to be of no weight.
    private const int FlushFrom = 32 * 1024;

    private static readonly StreamPipeWriterOptions LeaveOpen = new(leaveOpen: true);

    /// <summary>Writes one message behind its length, and flushes the stream.</summary>
    /// <param name="destination">Where to; nothing is written when packing fails.</param>
    /// <param name="value">The message, or null, which is read as null.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the write; what is in the stream then may be part of a message.</param>
    /// <exception cref="PackException">The message cannot be packed, or is longer than the options allow.</exception>
    public static async ValueTask WriteAsync<T>(
        Stream destination, T? value, PackStreamOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(destination);
        await ThroughPipeAsync(destination, pipe => WriteAsync(pipe, value, options, cancellationToken).AsTask()).ConfigureAwait(false);
    }

    /// <summary>Writes one message behind its length, and flushes the pipe.</summary>
    /// <param name="destination">Where to; nothing is written when packing fails.</param>
    /// <param name="value">The message, or null, which is read as null.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the wait for the pipe's reader; the message is in the pipe.</param>
    /// <exception cref="PackException">The message cannot be packed, or is longer than the options allow.</exception>
    /// <exception cref="IOException">The pipe's reader has completed.</exception>
    public static ValueTask WriteAsync<T>(
        PipeWriter destination, T? value, PackStreamOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(destination);
        cancellationToken.ThrowIfCancellationRequested();
        var frames = new FrameWriter(destination, options ?? PackStreamOptions.Default);
        frames.Write(value);
        return frames.FlushAsync(cancellationToken);
    }

    /// <summary>Writes messages as they come, each behind its length, then the mark that ends the sequence.</summary>
    /// <param name="destination">Where to. Where this call fails the end mark is missing, so the reader is told.</param>
    /// <param name="values">The messages. While the next one is waited for, those before it are flushed.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the call, and is handed to <paramref name="values"/>.</param>
    /// <exception cref="PackException">A message cannot be packed, or is longer than the options allow.</exception>
    public static async Task WriteAllAsync<T>(
        Stream destination, IAsyncEnumerable<T?> values, PackStreamOptions? options = null, CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(values);
        await ThroughPipeAsync(destination, pipe => WriteAllAsync(pipe, values, options, cancellationToken)).ConfigureAwait(false);
    }

    /// <summary>Writes messages as they come, each behind its length, then the mark that ends the sequence.</summary>
    /// <param name="destination">
    /// Where to; it is not completed. Where this call fails the end mark is missing, so the reader is told.
    /// </param>
    /// <param name="values">The messages. While the next one is waited for, those before it are flushed.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the call, and is handed to <paramref name="values"/>.</param>
    /// <exception cref="PackException">A message cannot be packed, or is longer than the options allow.</exception>
    /// <exception cref="IOException">The pipe's reader has completed.</exception>
    public static async Task WriteAllAsync<T>(
        PipeWriter destination, IAsyncEnumerable<T?> values, PackStreamOptions? options = null,
        CancellationToken cancellationToken = default)
        where T : IPackable<T>
    {
        ArgumentNullException.ThrowIfNull(destination);
        ArgumentNullException.ThrowIfNull(values);
        var frames = new FrameWriter(destination, options ?? PackStreamOptions.Default);
        using var ending = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        IAsyncEnumerator<T?> messages = values.GetAsyncEnumerator(ending.Token);
        await using (messages.ConfigureAwait(false))
        {
            while (await MoveNextAsync(messages, frames, ending).ConfigureAwait(false))
            {
                frames.Write(messages.Current);
                if (frames.Unflushed >= FlushFrom)
                {
                    await frames.FlushAsync(cancellationToken).ConfigureAwait(false);
                }
            }
        }
        cancellationToken.ThrowIfCancellationRequested();
        frames.WriteEndMark();
        await frames.FlushAsync(cancellationToken).ConfigureAwait(false);
    }

    // What is written does not wait for what is still to come. Where it cannot be handed on, the source is told to end.
    private static async ValueTask<bool> MoveNextAsync<T>(IAsyncEnumerator<T?> messages, FrameWriter frames, CancellationTokenSource ending)
    {
        ValueTask<bool> next = messages.MoveNextAsync();
        if (next.IsCompleted || frames.Unflushed == 0)
        {
            return await next.ConfigureAwait(false);
        }
        Task<bool> coming = next.AsTask();
        try
        {
            await frames.FlushAsync(ending.Token).ConfigureAwait(false);
        }
        catch
        {
            await ending.CancelAsync().ConfigureAwait(false);
            await ((Task)coming).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            throw;
        }
        return await coming.ConfigureAwait(false);
    }

    // A pipe that is completed with an exception writes nothing of what it still holds.
    private static async Task ThroughPipeAsync(Stream destination, Func<PipeWriter, Task> write)
    {
        var pipe = PipeWriter.Create(destination, LeaveOpen);
        Exception? fault = null;
        try
        {
            await write(pipe).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            fault = e;
            throw;
        }
        finally
        {
            await pipe.CompleteAsync(fault).ConfigureAwait(false);
        }
    }
}
