namespace BlitQueue;

/// <summary>Writes to a <see cref="SharedBuffer"/> from a position on, without a copy in between.</summary>
public sealed class SharedBufferWriter : IBufferWriter<byte>
{
    private readonly SharedBuffer _buffer;
    private readonly int _length;
    private int _position;

    internal SharedBufferWriter(SharedBuffer buffer, int length) => (_buffer, _length) = (buffer, length);

    /// <summary>Where the next byte goes: how many bytes are written, from the buffer's beginning.</summary>
    /// <exception cref="ArgumentOutOfRangeException">It is set to less than 0, or to more than the buffer's length.</exception>
    public int Position
    {
        get => _position;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            ArgumentOutOfRangeException.ThrowIfGreaterThan(value, _length);
            _position = value;
        }
    }

    /// <summary>What was written.</summary>
    /// <exception cref="ObjectDisposedException">The buffer's handle is disposed.</exception>
    public ReadOnlySpan<byte> WrittenSpan => _buffer.Span[.._position];

    /// <inheritdoc/>
    public void Advance(int count)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(count);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, _length - _position);
        _position += count;
    }

    /// <summary>The bytes from the position on.</summary>
    /// <param name="sizeHint">How many there must be at least; 0 for 1.</param>
    /// <exception cref="IOException">There are fewer left: the buffer has a fixed size.</exception>
    /// <exception cref="ObjectDisposedException">The buffer's handle is disposed.</exception>
    public Memory<byte> GetMemory(int sizeHint = 0)
    {
        RequireLeft(sizeHint);
        return _buffer.AsMemory()[_position..];
    }

    /// <inheritdoc cref="GetMemory"/>
    public Span<byte> GetSpan(int sizeHint = 0)
    {
        RequireLeft(sizeHint);
        return _buffer.Span[_position..];
    }

    private void RequireLeft(int sizeHint)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        if (_length - _position < Math.Max(sizeHint, 1))
        {
            throw new IOException(
                $"{_buffer.Path}: {Math.Max(sizeHint, 1)} bytes do not fit behind the {_position} that are written; the buffer has "
                + $"{_length} bytes.");
        }
    }
}
