using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>
/// A message that is nothing but bytes, for programs with a serializer of their own: it is packed as it is, without anything around it.
/// </summary>
/// <remarks>
/// It is a buffer that grows and is used again: unpacking allocates nothing where the bytes fit. Used from one thread at a time.
/// <see cref="RawQueueExtensions"/> enqueues spans without one.
/// </remarks>
/// <example>
/// <code>
/// using var queue = MappedQueue&lt;RawMessage&gt;.Open("frames");
/// queue.Enqueue("hello"u8);                                  // straight into the mapped segment
///
/// var message = new RawMessage();
/// JsonSerializer.Serialize(new Utf8JsonWriter(message), order);
/// queue.Enqueue(message);
///
/// RawMessage? next = null;
/// while (queue.TryDequeue(ref next)) Handle(next!.Bytes);
/// </code>
/// </example>
public sealed class RawMessage : IPackable<RawMessage>, IBufferWriter<byte>
{
    private const int SmallestBuffer = 256;

    private byte[] _buffer = [];
    private int _length;
    private BorrowedBytes _lent;

    /// <summary>An empty message.</summary>
    public RawMessage()
    {
    }

    /// <summary>A message with a copy of these bytes.</summary>
    public RawMessage(ReadOnlySpan<byte> bytes) => this.Write(bytes);

    /// <summary>What stands for all raw messages: they have no members.</summary>
    public static MessageSchema Schema { get; } = new(nameof(RawMessage), [], form: "raw");

    /// <summary>The message. Changes with the next write or unpacking.</summary>
    public ReadOnlySpan<byte> Bytes => _lent.AreLent ? _lent.Span : _buffer.AsSpan(0, _length);

    /// <summary>Empties the message and keeps the buffer.</summary>
    public void Clear() => _length = 0;

    /// <summary>Says how many bytes of what <see cref="GetSpan"/> or <see cref="GetMemory"/> gave were written.</summary>
    /// <exception cref="ArgumentOutOfRangeException">Less than zero, or more than were given.</exception>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _buffer.Length - _length);
        _length += count;
    }

    /// <summary>Room behind what was written so far.</summary>
    /// <param name="sizeHint">How many bytes at least; 0 for any number, at least one.</param>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _buffer.AsMemory(_length);
    }

    /// <summary>Room behind what was written so far.</summary>
    /// <param name="sizeHint">How many bytes at least; 0 for any number, at least one.</param>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Reserve(sizeHint);
        return _buffer.AsSpan(_length);
    }

    /// <summary>Writes the bytes as they are.</summary>
    /// <param name="writer">Where to.</param>
    /// <param name="value">The message.</param>
    /// <exception cref="ArgumentNullException">null cannot be told from four bytes.</exception>
    public static void Pack(ref PackWriter writer, scoped in RawMessage? value)
    {
        ArgumentNullException.ThrowIfNull(value);
        writer.WriteUnframed(value.Bytes);
    }

    /// <summary>Takes all that is left of the variable that is open, or of the source.</summary>
    /// <param name="reader">Where from.</param>
    /// <param name="value">A message to fill, or null.</param>
    public static void Unpack(ref PackReader reader, scoped ref RawMessage? value)
    {
        ReadOnlySpan<byte> bytes = reader.ReadUnframed();
        value ??= new RawMessage();
        value._length = 0;
        value.Reserve(bytes.Length);
        bytes.CopyTo(value._buffer);
        value._length = bytes.Length;
    }

    /// <summary>Makes it stand for borrowed bytes, or, with the default, for its own again.</summary>
    internal void StandFor(BorrowedBytes bytes) => _lent = bytes;

    private void Reserve(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        long needed = (long)_length + Math.Max(sizeHint, 1);
        if (needed > _buffer.Length)
        {
            Array.Resize(ref _buffer, (int)Math.Min(Math.Max(Math.Max(needed, SmallestBuffer), 2L * _buffer.Length), Array.MaxLength));
        }
    }
}
