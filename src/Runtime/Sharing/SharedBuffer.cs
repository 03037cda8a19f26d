using BlitQueue.Memory;
using BlitQueue.Sharing;

namespace BlitQueue;

/// <summary>
/// Bytes in memory that several processes share, of a size that is fixed when they are made: as a span, as a stream, or for code that
/// writes to an <see cref="System.Buffers.IBufferWriter{T}"/>.
/// </summary>
/// <remarks>
/// No call takes the lock by itself: take it where other processes may write at the same time
/// (<see cref="SharedLockable.AcquireRead(CancellationToken)"/>, <see cref="SharedLockable.AcquireWrite(CancellationToken)"/>).
/// <para>
/// After <see cref="SharedObject.Dispose"/> every call throws. Spans that were taken before lead to zeros of this process alone then: using
/// them is a mistake, but never ends the process, and never reaches another file. The addresses of the mapping are not used again until the
/// process ends; they take no memory.
/// </para>
/// </remarks>
/// <example>
/// <code>
/// using var frame = SharedBuffer.Open("frame", 1920 * 1080 * 4);
/// using (frame.AcquireWrite())
/// {
///     pixels.CopyTo(frame.Span);
/// }
/// </code>
/// </example>
public sealed class SharedBuffer : SharedLockable
{
    private MappedElements<byte> _bytes;

    private SharedBuffer(SharedFile file) : base(file, givesReferences: true)
        => _bytes = file.Region.Elements<byte>(SharedFormat.DataOffset, file.Shape.Length!.Value);

    /// <summary>Joins the buffer with this name, or makes it, filled with zeros.</summary>
    /// <param name="name">1 to 100 letters, digits, <c>-</c>, <c>_</c> and <c>.</c>, not beginning with a dot.</param>
    /// <param name="length">Bytes, 0 or more.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="ArgumentException">It cannot be a name, or the buffer has another length.</exception>
    /// <exception cref="SchemaMismatchException">The name is another kind of object's.</exception>
    /// <exception cref="QueueFullException">There is no memory for it.</exception>
    /// <exception cref="QueueException">The system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    public static SharedBuffer Open(string name, int length, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.PathOf(name), Shape(length), cancellationToken: cancellationToken));

    /// <summary>Joins the buffer with this name, of whatever length.</summary>
    /// <param name="name">As above.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <exception cref="QueueException">There is none (<see cref="QueueError.NotFound"/>), or the system refuses.</exception>
    /// <exception cref="OperationCanceledException">The token was cancelled; nothing was made.</exception>
    /// <inheritdoc cref="Open(string, int, CancellationToken)" path="/exception[position()&lt;4]"/>
    public static SharedBuffer Open(string name, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.PathOf(name), Shape(null), cancellationToken: cancellationToken));

    /// <summary>Joins the buffer in this file, or makes it, filled with zeros.</summary>
    /// <param name="path">The file. Its directory exists.</param>
    /// <param name="length">Bytes, 0 or more.</param>
    /// <param name="fileMode">The rights of a new file, on Unix: read and write for each who may use it. null: the user's alone.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <inheritdoc cref="Open(string, int, CancellationToken)" path="/exception"/>
    public static SharedBuffer OpenFile(
        string path, int length, UnixFileMode? fileMode = null, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.FileAt(path), Shape(length), fileMode, cancellationToken));

    /// <summary>Joins the buffer in this file, of whatever length.</summary>
    /// <param name="path">The file.</param>
    /// <param name="cancellationToken">Ends the wait for processes that make or delete it at the same time.</param>
    /// <inheritdoc cref="Open(string, CancellationToken)" path="/exception"/>
    public static SharedBuffer OpenFile(string path, CancellationToken cancellationToken = default) =>
        new(SharedFile.Open(SharedName.FileAt(path), Shape(null), cancellationToken: cancellationToken));

    private static SharedShape Shape(int? length)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(length ?? 0, nameof(length));
        return new SharedShape(SharedKind.Buffer, "", 1, length);
    }

    /// <summary>Bytes; 0 after <see cref="SharedObject.Dispose"/>.</summary>
    public int Length => _bytes.Length;

    /// <summary>All bytes. See the type's remarks for spans that are used after <see cref="SharedObject.Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public Span<byte> Span => Gate.IsClosed ? throw Gate.Disposed() : _bytes.Span;

    /// <summary>All bytes, for calls that are awaited. Its span throws after <see cref="SharedObject.Dispose"/>.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public Memory<byte> AsMemory() => new SpanMemory<byte>(Span.Length, () => Span).Memory;

    /// <summary>The bytes of a value of any type without references.</summary>
    /// <param name="offset">Bytes from the beginning; any, aligned or not.</param>
    /// <exception cref="ArgumentOutOfRangeException">It would not be wholly inside.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public TValue Read<TValue>(int offset)
        where TValue : unmanaged => Blit.TryRead(Span, offset, out TValue value) ? value : throw Outside<TValue>(offset);

    /// <summary>Writes the bytes of a value of any type without references.</summary>
    /// <param name="offset">Bytes from the beginning; any, aligned or not.</param>
    /// <param name="value">The value.</param>
    /// <exception cref="ArgumentOutOfRangeException">It would not be wholly inside.</exception>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public void Write<TValue>(int offset, TValue value)
        where TValue : unmanaged
    {
        if (!Blit.TryWrite(Span, offset, value))
        {
            throw Outside<TValue>(offset);
        }
    }

    /// <summary>
    /// A stream over the bytes, with a position of its own that starts at the beginning. Its length is fixed: writing beyond it is an
    /// <see cref="IOException"/>.
    /// </summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public Stream AsStream() => new SharedBufferStream(this, Span.Length);

    /// <summary>A writer over the bytes, with a position of its own that starts at the beginning.</summary>
    /// <exception cref="ObjectDisposedException">The handle is disposed.</exception>
    public SharedBufferWriter AsWriter() => new(this, Span.Length);

    private ArgumentOutOfRangeException Outside<TValue>(int offset)
        where TValue : unmanaged => new(
            nameof(offset), offset, $"{Blit.SizeOf<TValue>()} bytes from there are outside a buffer of {Length} bytes.");

    private protected override void End() => _bytes.End();
}
