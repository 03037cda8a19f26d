using System.IO.Pipelines;

namespace BlitQueue;

/// <summary>
/// Writes messages to streams and pipes, one or a sequence, and reads them back; a sequence is never in memory as a whole. Each message is
/// behind its length.
/// </summary>
/// <remarks>
/// The stream or pipe belongs to the caller and stays open. One call at a time may write to it, and one may read. For bytes in memory use
/// <see cref="Packer"/>.
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
    // How many bytes are flushed at once: enough that the call to the system does not count, and few enough that their memory does not
    // count.
    private const int FlushFrom = 32 * 1024;

    private static readonly StreamPipeWriterOptions LeaveOpen = new(leaveOpen: true);

    /// <summary>Writes one message behind its length, and flushes the stream.</summary>
    /// <param name="destination">Where to; nothing is written when packing fails.</param>
    /// <param name="value">The message, or null, which is read as null.</param>
    /// <param name="options">null: the defaults.</param>
    /// <param name="cancellationToken">Ends the write; then the stream may have got a part of a message.</param>
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
    /// <param name="destination">Where to. If this call fails, the end mark is missing, so the reader is told.</param>
    /// <param name="values">The messages. While the call waits for the next one, it flushes those before.</param>
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
    /// <param name="destination"> Where to; it is not completed. If this call fails, the end mark is missing, so the reader is told.
    /// </param>
    /// <param name="values">The messages. While the call waits for the next one, it flushes those before.</param>
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

    // Flushes what is written before it waits for the next message. If the pipe takes no more, it tells the source of the messages to end.
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

    // A pipe that is completed with an exception does not write the bytes that are still in it.
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
