namespace BlitQueue.Sharing;

/// <summary>A stream over a shared buffer.</summary>
/// <param name="buffer">The bytes.</param>
/// <param name="length">How many there are.</param>
internal sealed class SharedBufferStream(SharedBuffer buffer, int length) : Stream
{
    private long _position;

    public override bool CanRead => true;

    public override bool CanSeek => true;

    public override bool CanWrite => true;

    public override long Length => length;

    public override long Position
    {
        get => _position;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            _position = value;
        }
    }

    // The bytes from the position on.
    private Span<byte> Rest => buffer.Span[(int)Math.Min(_position, length)..];

    public override int Read(Span<byte> destination)
    {
        Span<byte> rest = Rest;
        int count = Math.Min(rest.Length, destination.Length);
        rest[..count].CopyTo(destination);
        _position += count;
        return count;
    }

    public override int Read(byte[] bytes, int offset, int count)
    {
        ValidateBufferArguments(bytes, offset, count);
        return Read(bytes.AsSpan(offset, count));
    }

    public override void Write(ReadOnlySpan<byte> source)
    {
        if (source.Length > Rest.Length)
        {
            throw new IOException(
                $"{buffer.Path}: {source.Length} bytes do not fit from {_position} on; the buffer has {length}. Nothing was written.");
        }
        source.CopyTo(Rest);
        _position += source.Length;
    }

    public override void Write(byte[] bytes, int offset, int count)
    {
        ValidateBufferArguments(bytes, offset, count);
        Write(bytes.AsSpan(offset, count));
    }

    public override long Seek(long offset, SeekOrigin origin) => Position = offset + origin switch
    {
        SeekOrigin.Begin => 0,
        SeekOrigin.Current => _position,
        SeekOrigin.End => length,
        _ => throw new ArgumentOutOfRangeException(nameof(origin)),
    };

    public override void SetLength(long value) => throw new NotSupportedException("A shared buffer has a fixed size.");

    public override void Flush()
    {
    }
}
