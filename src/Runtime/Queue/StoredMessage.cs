namespace BlitQueue;

/// <summary>A message as it is in the log, copied from there: its bytes, and those of its properties. Filled anew for each one.</summary>
internal sealed class StoredMessage
{
    private readonly RawMessage _packed = new(), _properties = new();

    /// <summary>Where it is.</summary>
    public long Position { get; private set; }

    /// <summary>The position behind it.</summary>
    public long After { get; private set; }

    /// <summary>The packed message.</summary>
    public ReadOnlySpan<byte> Packed => _packed.Bytes;

    /// <summary>The block of properties in front of it; empty if it has none.</summary>
    public ReadOnlySpan<byte> Properties => _properties.Bytes;

    /// <summary>Takes over a message.</summary>
    public void Fill(long position, long after, ReadOnlySpan<byte> packed, ReadOnlySpan<byte> properties)
    {
        (Position, After) = (position, after);
        Copy(packed, _packed);
        Copy(properties, _properties);
    }

    private static void Copy(ReadOnlySpan<byte> from, RawMessage into)
    {
        into.Clear();
        from.CopyTo(into.GetSpan(from.Length));
        into.Advance(from.Length);
    }
}
