using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Fixed-size values, nested messages, sequences of both, and the members of version-tolerant messages.</content>
public ref partial struct PackWriter
{
    /// <summary>Writes a value of a fixed-size kind, without a length in front.</summary>
    /// <remarks>
    /// A struct of the caller's own is copied as it is in memory, so it should have no padding and only fields for which any bit pattern is
    /// valid. The generator proves that for members; here the caller must make sure of it.
    /// </remarks>
    /// <param name="value">The value.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteValue<V>(V value)
        where V : unmanaged
    {
        if (!FixedFormat.TryWrite(_room, _written, value))
        {
            GrowAndWrite(value);
        }

        _written += FixedFormat.Size<V>();
    }

    /// <summary>Writes one byte of presence and the value, zeros for null.</summary>
    /// <param name="value">The value or null.</param>
    public void WriteNullable<V>(V? value)
        where V : unmanaged
    {
        FixedFormat.TryWriteNullable(Claim(1 + FixedFormat.Size<V>()), 0, value);
        _written += 1 + FixedFormat.Size<V>();
    }

    /// <summary>Writes a variable: the values back to back.</summary>
    /// <param name="values">Any number of values of a fixed-size kind.</param>
    /// <exception cref="PackException">The message would grow beyond what an array can hold.</exception>
    public void WriteSpan<V>(scoped ReadOnlySpan<V> values)
        where V : unmanaged
    {
        int size = FixedFormat.Size<V>();
        Span<byte> content = ClaimContent((long)values.Length * size);
        if (FixedFormat.IsCopiedWhenWritten<V>())
        {
            Blit.AsBytes(values).CopyTo(content);
        }
        else
        {
            for (int i = 0; i < values.Length; i++)
            {
                FixedFormat.TryWrite(content, i * size, values[i]);
            }
        }

        _written += content.Length;
    }

    /// <summary>Writes a variable: presence and value of each element, back to back.</summary>
    /// <param name="values">Any number of values or nulls.</param>
    /// <exception cref="PackException">The message would grow beyond what an array can hold.</exception>
    public void WriteNullableSpan<V>(scoped ReadOnlySpan<V?> values)
        where V : unmanaged
    {
        int size = 1 + FixedFormat.Size<V>();
        Span<byte> content = ClaimContent((long)values.Length * size);
        for (int i = 0; i < values.Length; i++)
        {
            FixedFormat.TryWriteNullable(content, i * size, values[i]);
        }

        _written += content.Length;
    }

    /// <summary>Writes a variable: a message, or the null mark.</summary>
    /// <param name="value">The message.</param>
    /// <exception cref="PackException">The message cannot be packed.</exception>
    public void WriteMessage<M>(scoped in M? value)
        where M : IPackable<M>
    {
        // Without the first half, code that the JIT does not optimize would box a struct for the question.
        if (!typeof(M).IsValueType && value is null)
        {
            WriteNull();
            return;
        }

        VariableMark mark = BeginVariable();
        M.Pack(ref this, in value);
        EndVariable(mark);
    }

    /// <summary>Writes a variable: the messages, each a variable of its own.</summary>
    /// <param name="values">Any number of messages.</param>
    /// <exception cref="PackException">A message cannot be packed.</exception>
    public void WriteMessages<M>(scoped ReadOnlySpan<M?> values)
        where M : IPackable<M>
    {
        VariableMark mark = BeginVariable();
        WriteCount(values.Length);
        for (int i = 0; i < values.Length; i++)
        {
            WriteMessage(in values[i]);
        }

        EndVariable(mark);
    }

    /// <summary>
    /// Writes bytes as they are, without a length, for a message whose end follows from the record or the variable around it.
    /// </summary>
    internal void WriteUnframed(scoped ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(Claim(bytes.Length));
        _written += bytes.Length;
    }

    /// <summary>Writes a variable that is one value.</summary>
    /// <param name="value">A value of a fixed-size kind.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void WriteField<V>(V value)
        where V : unmanaged
    {
        WriteRaw((uint)FixedFormat.Size<V>());
        WriteValue(value);
    }

    /// <summary>Writes a variable that is one value, or the null mark.</summary>
    /// <param name="value">A value of a fixed-size kind, or null.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void WriteNullableField<V>(V? value)
        where V : unmanaged
    {
        if (value is { } present)
        {
            WriteField(present);
        }
        else
        {
            WriteNull();
        }
    }

    /// <summary>Writes the hole mark for numbers that no member has.</summary>
    /// <param name="count">How many numbers.</param>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void WriteHoles(int count)
    {
        for (int i = 0; i < count; i++)
        {
            WriteRaw(MessageFormat.Hole);
        }
    }

    // Writes the length and returns the content's bytes, which the caller fills and advances over.
    private Span<byte> ClaimContent(long length)
    {
        Span<byte> content = Claim(MessageFormat.HeaderSize + length);
        Blit.TryWrite(content, 0, (uint)length);
        _written += MessageFormat.HeaderSize;
        return content[MessageFormat.HeaderSize..];
    }
}
