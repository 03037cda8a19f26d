using System.Net.Sockets;

namespace BlitQueue.RabbitMq;

/// <summary>
/// Sends several publishes in one call of the system. The client writes each by itself, on a thread of its own, and a call for each
/// takes as long as all the rest that the client does for it.
/// </summary>
/// <remarks>
/// The thread that publishes says when more follow (<see cref="Gather"/>) and when none does (<see cref="SendAsync"/>). What the client
/// writes in between waits in a buffer, and goes when it is full. Behind <see cref="SendAsync"/> the last of the publishes that were
/// announced takes all others along. Any other frame waits as long as they do, and no longer.
/// </remarks>
internal sealed class GatheringStream(Socket socket) : NetworkStream(socket)
{
    private const int Capacity = 64 << 10;

    // The client's frame of a method: its kind, a channel of two bytes, a length of four, then class and method.
    private const int MethodFrame = 1, MethodOffset = 7;

    private readonly byte[] _waiting = new byte[Capacity];

    // The thread that writes, or the one that publishes, has what is below.
    private readonly SemaphoreSlim _turn = new(1);
    private int _length;
    private long _written;

    // How many publishes are to be written before all is sent. Written by the thread that publishes.
    private long _announced;

    private static ReadOnlySpan<byte> BasicPublish => [0, 60, 0, 40];

    /// <summary>How often something was sent.</summary>
    public long Sends { get; private set; }

    /// <summary>More publishes follow at once.</summary>
    public void Gather() => Volatile.Write(ref _announced, long.MaxValue);

    /// <summary>Sends what waits, now or when the client has written as many publishes.</summary>
    /// <param name="published">How many the client was given since there is the connection.</param>
    /// <param name="cancellationToken">Ends the wait.</param>
    public async ValueTask SendAsync(long published, CancellationToken cancellationToken)
    {
        Volatile.Write(ref _announced, published);
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // The later one of this thread and the one that writes sees the other's number.
            if (_written >= published)
            {
                await SendWaitingAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            _turn.Release();
        }
    }

    /// <summary>From now on each frame is sent at once, with what waits.</summary>
    public void StopGathering() => Volatile.Write(ref _announced, 0);

    /// <inheritdoc/>
    public override async ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
    {
        await _turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            _written += IsPublish(buffer.Span) ? 1 : 0;
            if (buffer.Length > Capacity - _length)
            {
                await SendWaitingAsync(cancellationToken).ConfigureAwait(false);
            }
            if (buffer.Length > Capacity)
            {
                Sends++;
                await base.WriteAsync(buffer, cancellationToken).ConfigureAwait(false);
                return;
            }
            buffer.CopyTo(_waiting.AsMemory(_length));
            _length += buffer.Length;
            if (_written >= Volatile.Read(ref _announced))
            {
                await SendWaitingAsync(cancellationToken).ConfigureAwait(false);
            }
        }
        finally
        {
            _turn.Release();
        }
    }

    private async ValueTask SendWaitingAsync(CancellationToken cancellationToken)
    {
        if (_length > 0)
        {
            int length = _length;
            _length = 0;
            Sends++;
            await base.WriteAsync(_waiting.AsMemory(0, length), cancellationToken).ConfigureAwait(false);
        }
    }

    private static bool IsPublish(ReadOnlySpan<byte> frame) =>
        frame.Length >= MethodOffset + BasicPublish.Length && frame[0] == MethodFrame
        && frame.Slice(MethodOffset, BasicPublish.Length).SequenceEqual(BasicPublish);
}
