namespace BlitQueue;

/// <content>Members of version-tolerant messages: each is a variable, at the index that is its number.</content>
public ref partial struct PackWriter
{
    /// <summary>Writes a variable that is one value.</summary>
    /// <param name="value">A value of a fixed-size kind.</param>
    public void WriteField<V>(V value)
        where V : unmanaged
    {
        WriteRaw((uint)FixedFormat.Size<V>());
        WriteValue(value);
    }

    /// <summary>Writes a variable that is one value, or the null mark.</summary>
    /// <param name="value">A value of a fixed-size kind, or null.</param>
    public void WriteNullableField<V>(V? value)
        where V : unmanaged
    {
        if (value is { } present)
            WriteField(present);
        else
            WriteNull();
    }

    /// <summary>Writes the hole mark for numbers that no member has.</summary>
    /// <param name="count">How many numbers.</param>
    public void WriteHoles(int count)
    {
        for (var i = 0; i < count; i++)
            WriteRaw(MessageFormat.Hole);
    }
}
