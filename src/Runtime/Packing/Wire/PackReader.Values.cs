using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>
/// Fixed-size values, nested messages, and the members of version-tolerant messages, which are variables whose index is the member's
/// number.
/// </content>
public ref partial struct PackReader
{
    /// <summary>Reads a value of a fixed-size kind, as <see cref="PackWriter.WriteValue"/> wrote it.</summary>
    /// <returns>A valid value of its type; a struct of the caller's own is copied without a check.</returns>
    /// <exception cref="PackException">The value is not wholly here, or no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V ReadValue<V>()
        where V : unmanaged
    {
        V value = FixedFormat.Read<V>(_window, _position, origin: 0);
        _position += FixedFormat.Size<V>();
        return value;
    }

    /// <summary>Reads a value behind its byte of presence.</summary>
    /// <returns>The value or null.</returns>
    /// <exception cref="PackException">The value is not wholly here, or no valid value.</exception>
    public V? ReadNullable<V>()
        where V : unmanaged
    {
        V? value = FixedFormat.ReadNullable<V>(_window, _position, origin: 0);
        _position += 1 + FixedFormat.Size<V>();
        return value;
    }

    /// <summary>Reads a variable that is a message, into the given instance if there is one.</summary>
    /// <param name="value">The instance to fill, or null; null afterwards for the null mark.</param>
    /// <exception cref="PackException">The bytes are no such message, or null where <typeparamref name="M"/> is a struct.</exception>
    public void ReadMessage<M>(scoped ref M? value)
        where M : IPackable<M>
    {
        if (!BeginVariable(out VariableScope scope))
        {
            if (typeof(M).IsValueType)
            {
                PackException.ThrowNullStruct(in this, typeof(M));
            }

            value = default;
            return;
        }

        M.Unpack(ref this, ref value);
        EndWholeVariable(scope);
    }

    /// <summary>Begins a version-tolerant message.</summary>
    /// <param name="block">The count of its variables; there is no fixed block.</param>
    /// <returns>False for the null mark; the message is not open then.</returns>
    /// <exception cref="PackException">The message is not version-tolerant, or more than 64 messages are inside each other.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool BeginFields(out FixedBlockReader block)
    {
        int start = _position;
        if (!BeginMessage(out block))
        {
            return false;
        }

        if (block.FixedLength != 0)
        {
            PackException.ThrowNotTolerant(start, block.FixedLength);
        }

        return true;
    }

    /// <summary>
    /// Whether the writer knew the member with this number, whose variable is the next. If it did not, the method skips the member's hole.
    /// </summary>
    /// <param name="block">What <see cref="BeginFields"/> gave.</param>
    /// <param name="number">The member's number; every lower one has been read or skipped.</param>
    /// <returns>True when the member is to be read now.</returns>
    /// <exception cref="PackException">The bytes end here.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public bool HasField(scoped in FixedBlockReader block, int number)
    {
        if (number >= block.VariableCount)
        {
            return false;
        }

        if (!Blit.TryRead(_window, _position, out uint length))
        {
            PackException.ThrowCutOff(_position, sizeof(uint), Remaining);
        }

        if (length != MessageFormat.Hole)
        {
            return true;
        }

        _position += MessageFormat.HeaderSize;
        return false;
    }

    /// <summary>Reads a variable that is one value.</summary>
    /// <returns>A valid value of its type.</returns>
    /// <exception cref="PackException">The variable has another size or is null, or the value is not valid.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public V ReadField<V>()
        where V : unmanaged
    {
        int start = _position;
        if (!TryReadLength(out int length))
        {
            PackException.ThrowFieldSize(start, typeof(V), MessageFormat.Null);
        }

        return ReadField<V>(start, length);
    }

    /// <summary>Reads a variable that is one value or null.</summary>
    /// <returns>A valid value of its type, or null.</returns>
    /// <exception cref="PackException">The variable has another size, or the value is not valid.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public V? ReadNullableField<V>()
        where V : unmanaged
    {
        int start = _position;
        return TryReadLength(out int length) ? ReadField<V>(start, length) : null;
    }

    /// <summary>Skips what the writer has under numbers that the reader does not know.</summary>
    /// <param name="block">What <see cref="BeginFields"/> gave.</param>
    /// <param name="number">The first of them; every lower one has been read or skipped.</param>
    /// <param name="count">How many numbers.</param>
    /// <exception cref="PackException">A variable is not wholly here.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void SkipFields(scoped in FixedBlockReader block, int number, int count)
    {
        int end = Math.Min(block.VariableCount, number + count);
        for (; number < end; number++)
        {
            if (HasField(in block, number))
            {
                SkipVariable();
            }
        }
    }

    /// <summary>Ends the version-tolerant message begun last; skips members with higher numbers than the reader knows.</summary>
    /// <param name="block">What <see cref="BeginFields"/> gave.</param>
    /// <param name="readVariables">The highest number that the reader knows, plus one.</param>
    /// <exception cref="PackException">A variable to be skipped is not wholly here.</exception>
    /// <exception cref="InvalidOperationException">No message is open.</exception>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public void EndFields(scoped in FixedBlockReader block, int readVariables)
    {
        SkipFields(in block, readVariables, MessageFormat.MaxPart);
        EndMessage(in block, MessageFormat.MaxPart);
    }

    private V ReadField<V>(int start, int length)
        where V : unmanaged
    {
        if (length != FixedFormat.Size<V>())
        {
            PackException.ThrowFieldSize(start, typeof(V), (uint)length);
        }

        return ReadValue<V>();
    }

    /// <summary>Reads all that is left of the open variable, or of the source when none is open.</summary>
    internal ReadOnlySpan<byte> ReadUnframed()
    {
        ReadOnlySpan<byte> bytes = _window[_position..];
        _position = _window.Length;
        return bytes;
    }
}
