namespace BlitQueue.Cli.Wire;

/// <summary>The bytes of a message that is being packed. Used again for the next one.</summary>
internal sealed class PackedOutput
{
    private const uint Null = 0xFFFF_FFFF, Hole = 0xFFFF_FFFE;
    private readonly Dictionary<long, uint> _numbers = [];
    private byte[] _bytes = new byte[256];
    private uint _objects;

    public int Length { get; private set; }

    /// <summary>How many messages are inside each other here.</summary>
    public int Depth { get; set; }

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, Length);

    public void Clear()
    {
        (Length, Depth, _objects) = (0, 0, 0);
        _numbers.Clear();
    }

    /// <summary>Room for so many bytes, which count as written; zeros.</summary>
    public Span<byte> Add(int bytes)
    {
        if (bytes > _bytes.Length - Length)
        {
            Array.Resize(ref _bytes, (int)Math.Min(Math.Max((long)Length + bytes, 2L * _bytes.Length), Array.MaxLength));
        }
        Span<byte> room = _bytes.AsSpan(Length, bytes);
        room.Clear();
        Length += bytes;
        return room;
    }

    public void Write(ReadOnlySpan<byte> bytes) => bytes.CopyTo(Add(bytes.Length));

    public void U16(int value) => BinaryPrimitives.WriteUInt16LittleEndian(Add(sizeof(ushort)), (ushort)value);

    public void U32(uint value) => BinaryPrimitives.WriteUInt32LittleEndian(Add(sizeof(uint)), value);

    /// <summary>Writes the mark of null.</summary>
    public void WriteNull() => U32(Null);

    /// <summary>Writes the mark of a member that is not there.</summary>
    public void WriteHole() => U32(Hole);

    /// <summary>Writes a variable with this content.</summary>
    public void Variable(ReadOnlySpan<byte> content)
    {
        U32((uint)content.Length);
        Write(content);
    }

    /// <summary>Begins a variable, whose length is not known yet.</summary>
    /// <returns>For <see cref="End"/>.</returns>
    public int Begin()
    {
        U32(0);
        return Length;
    }

    /// <summary>Ends a variable.</summary>
    public void End(int begun) => BinaryPrimitives.WriteUInt32LittleEndian(_bytes.AsSpan(begun - sizeof(uint)), (uint)(Length - begun));

    /// <summary>The bytes that are written already, to be corrected.</summary>
    public Span<byte> Written(int offset, int length) => _bytes.AsSpan(offset, length);

    /// <summary>Gives the next object with identity its number; the source may have another name for it.</summary>
    public void AddObject(long? name) => _numbers[name ?? _objects] = _objects++;

    /// <summary>The number of the object with this name in the source.</summary>
    /// <returns>false if there is none so far.</returns>
    public bool TryFindObject(long name, out uint number) => _numbers.TryGetValue(name, out number);
}
