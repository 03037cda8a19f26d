namespace BlitQueue.Log;

/// <summary>
/// The properties in front of a message in its record, read from bytes that need not be trusted.
/// <code>
/// u32 length of the block in bytes, a multiple of 8, these included
/// u32 what there is (<see cref="PropertyKinds"/>)
/// 8 bytes for each bit of the low half, from the lowest on
/// u32 length and so many bytes for each bit of the high half, from the lowest on; text is UTF-8
/// zeros up to the block's length
/// </code>
/// </summary>
internal readonly ref struct PropertyBlock
{
    /// <summary>Length and mask, bytes.</summary>
    public const int HeaderSize = 8;

    /// <summary>The longest block that a producer writes, bytes.</summary>
    public const int LongestOfProducer = 32 * 1024;

    /// <summary>
    /// The longest block, bytes: one that was a dead letter's says so, too. About half of the smallest segment, so that the first piece of
    /// a message has room for it.
    /// </summary>
    public const int Longest = LongestOfProducer + 256;

    private readonly ReadOnlySpan<byte> _bytes;
    private readonly PropertyKinds _kinds;

    private PropertyBlock(ReadOnlySpan<byte> bytes, PropertyKinds kinds)
    {
        _bytes = bytes;
        _kinds = kinds;
    }

    /// <summary>The whole block.</summary>
    public ReadOnlySpan<byte> Bytes => _bytes;

    /// <summary>Bytes before the message.</summary>
    public int Length => _bytes.Length;

    /// <summary>Reads the block that a payload begins with.</summary>
    /// <returns>false if the payload does not begin with a block.</returns>
    public static bool TryRead(ReadOnlySpan<byte> payload, out PropertyBlock block)
    {
        block = default;
        if (payload.Length < HeaderSize)
        {
            return false;
        }
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(payload);
        if (length is < HeaderSize or > Longest || length % 8 != 0 || length > payload.Length)
        {
            return false;
        }
        block = new PropertyBlock(payload[..(int)length], (PropertyKinds)BinaryPrimitives.ReadUInt32LittleEndian(payload[4..]));
        return block.IsWhole() && block.IsTime(PropertyKinds.EnqueuedAt) && block.IsTime(PropertyKinds.ExpiresAt);
    }

    /// <summary>When the message was enqueued, from a payload that begins with a block; 0 if the block does not say.</summary>
    public static long StampOf(ReadOnlySpan<byte> payload)
        => IsStamped(payload) ? BinaryPrimitives.ReadInt64LittleEndian(payload[HeaderSize..]) : 0;

    /// <summary>Sets when the message was enqueued, if the block has that property.</summary>
    public static void Stamp(Span<byte> payload, long ticks)
    {
        if (IsStamped(payload))
        {
            BinaryPrimitives.WriteInt64LittleEndian(payload[HeaderSize..], ticks);
        }
    }

    private static bool IsStamped(ReadOnlySpan<byte> payload) =>
        payload.Length >= HeaderSize + sizeof(long)
        && ((PropertyKinds)BinaryPrimitives.ReadUInt32LittleEndian(payload[4..]) & PropertyKinds.EnqueuedAt) != 0;

    /// <summary>A point in time, UTC ticks.</summary>
    /// <returns>false when the block has none of this kind.</returns>
    public bool TryGetTicks(PropertyKinds kind, out long ticks)
    {
        int offset = HeaderSize + (sizeof(long) * BitOperations.PopCount((uint)_kinds & ((uint)kind - 1)));
        bool isThere = (_kinds & kind) != 0 && offset + sizeof(long) <= _bytes.Length;
        ticks = isThere ? BinaryPrimitives.ReadInt64LittleEndian(_bytes[offset..]) : 0;
        return isThere;
    }

    /// <summary>The bytes of a property with a length.</summary>
    /// <returns>false when the block has none of this kind.</returns>
    public bool TryGetBytes(PropertyKinds kind, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        if ((_kinds & kind) == 0)
        {
            return false;
        }
        int before = BitOperations.PopCount((uint)(_kinds & PropertyKinds.Variable) & ((uint)kind - 1));
        ReadOnlySpan<byte> rest = Variables();
        for (int i = 0; i <= before; i++)
        {
            if (!TryTake(ref rest, out bytes))
            {
                return false;
            }
        }
        return true;
    }

    /// <summary>Takes a length and its bytes from the front.</summary>
    /// <returns>false when they are not wholly there.</returns>
    public static bool TryTake(scoped ref ReadOnlySpan<byte> rest, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        if (rest.Length < sizeof(uint))
        {
            return false;
        }
        uint length = BinaryPrimitives.ReadUInt32LittleEndian(rest);
        if (length > rest.Length - sizeof(uint))
        {
            return false;
        }
        bytes = rest.Slice(sizeof(uint), (int)length);
        rest = rest[(sizeof(uint) + (int)length)..];
        return true;
    }

    /// <summary>Whether there is nothing in it that its message's producer or handle has put there.</summary>
    public bool IsEmpty => (_kinds & ~(PropertyKinds.OnlyFor | PropertyKinds.Letter)) == PropertyKinds.None;

    /// <summary>The dead letter that the message was; null if it was none.</summary>
    public LetterOrigin? Letter =>
        TryGetBytes(PropertyKinds.Letter, out ReadOnlySpan<byte> bytes) && bytes.Length == LetterOrigin.Size
            ? LetterOrigin.Of(bytes)
            : null;

    /// <summary>
    /// The same properties for the message that a dead letter becomes, which the letter's subscription alone is to get; without the time to
    /// live, if that is over.
    /// </summary>
    public byte[] Requeued(string subscription, in LetterOrigin letter, long now)
    {
        PropertyKinds kinds = _kinds | PropertyKinds.OnlyFor | PropertyKinds.Letter;
        if (TryGetTicks(PropertyKinds.ExpiresAt, out long expiresAt) && expiresAt <= now)
        {
            kinds &= ~PropertyKinds.ExpiresAt;
        }
        ReadOnlySpan<byte> name = Encoding.ASCII.GetBytes(subscription);
        byte[] block = new byte[PropertyWriter.PaddedSize(SizeOf(kinds, name))];
        var writer = new PropertyWriter(block, kinds);
        for (int bit = 0; bit < 32; bit++)
        {
            var kind = (PropertyKinds)(1u << bit);
            if ((kinds & kind) == 0)
            {
                continue;
            }
            if (kind == PropertyKinds.OnlyFor)
            {
                writer.Write(name);
            }
            else if (kind == PropertyKinds.Letter)
            {
                writer.Write(letter.ToBytes());
            }
            else if (TryGetTicks(kind & PropertyKinds.Fixed, out long ticks))
            {
                writer.Write(ticks);
            }
            else if (TryGetBytes(kind, out ReadOnlySpan<byte> bytes))
            {
                writer.Write(bytes);
            }
        }
        writer.End();
        return block;
    }

    private long SizeOf(PropertyKinds kinds, ReadOnlySpan<byte> name)
    {
        long size = sizeof(long) * BitOperations.PopCount((uint)(kinds & PropertyKinds.Fixed));
        for (int bit = 16; bit < 32; bit++)
        {
            var kind = (PropertyKinds)(1u << bit);
            if ((kinds & kind) != 0)
            {
                size += sizeof(uint) + kind switch
                {
                    PropertyKinds.OnlyFor => name.Length,
                    PropertyKinds.Letter => LetterOrigin.Size,
                    _ => TryGetBytes(kind, out ReadOnlySpan<byte> bytes) ? bytes.Length : 0,
                };
            }
        }
        return size;
    }

    private ReadOnlySpan<byte> Variables() => _bytes[Math.Min(_bytes.Length, VariablesStart)..];

    private int VariablesStart => HeaderSize + (sizeof(long) * BitOperations.PopCount((uint)(_kinds & PropertyKinds.Fixed)));

    private bool IsWhole()
    {
        if (VariablesStart > _bytes.Length)
        {
            return false;
        }
        ReadOnlySpan<byte> rest = Variables();
        for (int left = BitOperations.PopCount((uint)(_kinds & PropertyKinds.Variable)); left > 0; left--)
        {
            if (!TryTake(ref rest, out _))
            {
                return false;
            }
        }
        return rest.Length < 8;
    }

    private bool IsTime(PropertyKinds kind) =>
        !TryGetTicks(kind, out long ticks) || (ulong)ticks <= (ulong)DateTime.MaxValue.Ticks;
}
