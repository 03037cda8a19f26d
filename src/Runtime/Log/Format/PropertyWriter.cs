namespace BlitQueue.Log;

/// <summary>
/// Writes a block of properties (<see cref="PropertyBlock"/>) into room of exactly its size, kind by kind in their order.
/// </summary>
/// <remarks>
/// A property that does not fit is an <see cref="ArgumentException"/>: the properties were changed after they were measured.
/// </remarks>
internal ref struct PropertyWriter
{
    private Span<byte> _rest;

    /// <summary>Begins the block.</summary>
    /// <param name="block">As many bytes as the block has: <see cref="PaddedSize"/> of its content.</param>
    /// <param name="kinds">The properties that will be written.</param>
    public PropertyWriter(Span<byte> block, PropertyKinds kinds)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(block, (uint)block.Length);
        BinaryPrimitives.WriteUInt32LittleEndian(block[4..], (uint)kinds);
        _rest = block[PropertyBlock.HeaderSize..];
    }

    /// <summary>The bytes of a block with so much content, a multiple of 8.</summary>
    public static int PaddedSize(long content) => checked((int)((PropertyBlock.HeaderSize + content + 7) & ~7L));

    /// <summary>The bytes that a text takes.</summary>
    public static int SizeOf(string? text) => text is null ? 0 : checked(sizeof(uint) + Encoding.UTF8.GetByteCount(text));

    public void Write(long ticks)
    {
        BinaryPrimitives.WriteInt64LittleEndian(_rest, ticks);
        _rest = _rest[sizeof(long)..];
    }

    /// <summary>Writes a text; nothing for null.</summary>
    public void Write(string? text)
    {
        if (text is not null)
        {
            int length = Encoding.UTF8.GetBytes(text, _rest[sizeof(uint)..]);
            WriteLength(length);
            _rest = _rest[length..];
        }
    }

    /// <summary>Writes bytes behind their length.</summary>
    public void Write(ReadOnlySpan<byte> bytes)
    {
        WriteLength(bytes.Length);
        bytes.CopyTo(_rest);
        _rest = _rest[bytes.Length..];
    }

    /// <summary>Writes how many bytes follow.</summary>
    public void WriteLength(int length)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(_rest, (uint)length);
        _rest = _rest[sizeof(uint)..];
    }

    /// <summary>Fills what is left, less than 8 bytes, with zeros.</summary>
    public readonly void End()
    {
        if (_rest.Length >= 8)
        {
            throw new ArgumentException("Less was written than was measured.");
        }
        _rest.Clear();
    }
}
