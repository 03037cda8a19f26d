using System.Net.Sockets;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Sends several publishes in one call of the system. The client writes each by itself, on a thread of its own, and the call takes more
/// time than all the rest that the client does for a publish.
/// </summary>
/// <remarks>
/// The thread that publishes says that more may follow (<see cref="Gather"/>), and later that none does (<see cref="Send"/>). What the
/// client writes in between waits in a buffer, which is sent when it is full. The client may be behind: then the last publish of those
/// that it was given takes all others along. Another frame waits as long as they do.
/// </remarks>
internal sealed class GatheringStream(Socket socket) : NetworkStream(socket)
{
    /// <summary>The longest that waits, bytes.</summary>
    public const int Capacity = 16 << 10;

    // The client's frame of a method: its kind, a channel of two bytes, a length of four, then class and method.
    private const int MethodFrame = 1, MethodOffset = 7;

    private readonly byte[] _waiting = new byte[Capacity];

    // One at a time writes: the client's thread, or the one that publishes. All but the announced number belongs to it.
    private readonly SemaphoreSlim _writing = new(1);
    private int _length;
    private long _written;
    private long _announced;

    private static ReadOnlySpan<byte> BasicPublish => [0, 60, 0, 40];

    /// <summary>How often bytes were given to the system.</summary>
    public long Sends { get; private set; }

    // The last publish that was announced is in the buffer.
    private bool IsDue => Volatile.Read(ref _length) > 0 && Volatile.Read(ref _written) >= Volatile.Read(ref _announced);

    /// <summary>More publishes may follow.</summary>
    public void Gather() => Volatile.Write(ref _announced, long.MaxValue);

    /// <summary>Sends what waits, now or when the client has written the last publish. Waits for nothing.</summary>
    /// <param name="published">How many publishes the client was given on this connection; 0: from now on each frame goes at once.</param>
    public void Send(long published)
    {
        // A full fence: the look at who writes must not come before the number is there.
        Interlocked.Exchange(ref _announced, published);
        // Where the client's thread is writing, it looks at the number after that.
        if (_writing.Wait(0))
        {
            _ = SendDueAndLeaveAsync();
        }
    }

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await _writing.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            await AddAsync(buffer, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            _writing.Release();
        }
        // The number may have been announced after the last look at it, while there was no way in. The fence is the other side's.
        Interlocked.MemoryBarrier();
        if (IsDue)
        {
            await _writing.WaitAsync(cancellationToken).ConfigureAwait(false);
            await SendDueAndLeaveAsync().ConfigureAwait(false);
        }
    }

    // Whatever call a client writes with: bytes that went around the buffer would overtake those in it.

    /// <inheritdoc/>
    public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <inheritdoc/>
    public override IAsyncResult BeginWrite(byte[] buffer, int offset, int count, AsyncCallback? callback, object? state) =>
        TaskToAsyncResult.Begin(WriteAsync(buffer, offset, count, CancellationToken.None), callback, state);

    /// <inheritdoc/>
    public override void EndWrite(IAsyncResult asyncResult) => TaskToAsyncResult.End(asyncResult);

    /// <inheritdoc/>
    public override void Write(byte[] buffer, int offset, int count) =>
        WriteAsync(buffer, offset, count, CancellationToken.None).GetAwaiter().GetResult();

    private async ValueTask AddAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken)
    {
        if (buffer.Length > Capacity - _length)
        {
            await SendWaitingAsync(cancellationToken).ConfigureAwait(false);
        }
        if (IsPublish(buffer.Span))
        {
            Volatile.Write(ref _written, _written + 1);
        }
        if (buffer.Length > Capacity)
        {
            Sends++;
            await base.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
            return;
        }
        buffer.CopyTo(_waiting.AsMemory(_length));
        Volatile.Write(ref _length, _length + buffer.Length);
        if (IsDue)
        {
            await SendWaitingAsync(cancellationToken).ConfigureAwait(false);
        }
    }

    private async Task SendDueAndLeaveAsync()
    {
        try
        {
            if (IsDue)
            {
                await SendWaitingAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (exception is IOException or ObjectDisposedException)
        {
            // The connection is lost, as the client's reader finds, too.
        }
        finally
        {
            _writing.Release();
        }
    }

    private async ValueTask SendWaitingAsync(CancellationToken cancellationToken)
    {
        int length = _length;
        if (length > 0)
        {
            Volatile.Write(ref _length, 0);
            Sends++;
            await base.WriteAsync(_waiting.AsMemory(0, length), cancellationToken).ConfigureAwait(false);
        }
    }

    private static bool IsPublish(ReadOnlySpan<byte> frame) =>
        frame.Length >= MethodOffset + BasicPublish.Length && frame[0] == MethodFrame
        && frame.Slice(MethodOffset, BasicPublish.Length).SequenceEqual(BasicPublish);
}
