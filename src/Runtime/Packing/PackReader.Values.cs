using System.Runtime.CompilerServices;

namespace BlitQueue;

/// <content>Fixed-size values and nested messages.</content>
public ref partial struct PackReader
{
    /// <summary>Reads a value of a fixed-size kind, as <see cref="PackWriter.WriteValue"/> wrote it.</summary>
    /// <returns>A valid value of its type; a struct of one's own is taken as its bytes are.</returns>
    /// <exception cref="PackException">The value is not wholly here, or no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V ReadValue<V>()
        where V : unmanaged
    {
        var value = FixedFormat.Read<V>(_window, _position, origin: 0);
        _position += FixedFormat.Size<V>();
        return value;
    }

    /// <summary>Reads a value behind its byte of presence.</summary>
    /// <returns>The value or null.</returns>
    /// <exception cref="PackException">The value is not wholly here, or no valid value.</exception>
    public V? ReadNullable<V>()
        where V : unmanaged
    {
        var value = FixedFormat.ReadNullable<V>(_window, _position, origin: 0);
        _position += 1 + FixedFormat.Size<V>();
        return value;
    }

    /// <summary>Reads a variable that is a message, into the instance given where there is one.</summary>
    /// <param name="value">The instance to fill, or null; null afterwards for the null mark.</param>
    /// <exception cref="PackException">The bytes are no such message, or null where <typeparamref name="M"/> is a struct.</exception>
    public void ReadMessage<M>(scoped ref M? value)
        where M : IPackable<M>
    {
        if (!BeginVariable(out var scope))
        {
            if (typeof(M).IsValueType)
                PackException.ThrowNullStruct(in this, typeof(M));
            value = default;
            return;
        }

        M.Unpack(ref this, ref value);
        EndWholeVariable(scope);
    }
}
