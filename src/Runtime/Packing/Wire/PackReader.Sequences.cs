using BlitQueue.Generated;
using BlitQueue.Memory;

namespace BlitQueue;

/// <content>Sequences: of fixed-size values and of messages; arrays of several dimensions.</content>
public ref partial struct PackReader
{
    /// <summary>Reads a variable of values as a view of the source's own bytes, without a copy.</summary>
    /// <remarks>
    /// The view shows the bytes themselves: if another process can write them, values may change while they are read. The values need not
    /// be aligned.
    /// </remarks>
    /// <returns>The values; null and empty both come as empty.</returns>
    /// <exception cref="PackException">The bytes are no whole number of values.</exception>
    /// <exception cref="NotSupportedException">
    /// Not every bit pattern of <typeparamref name="V"/> is valid (bool, decimal, DateTime...): use <see cref="ReadArray"/>.
    /// </exception>
    public ReadOnlySpan<V> ReadSpan<V>()
        where V : unmanaged
    {
        if (!FixedFormat.IsBlittable<V>())
        {
            throw new NotSupportedException($"{typeof(V)} must be checked value by value: read it with ReadArray.");
        }

        return TryReadElements(FixedFormat.Size<V>(), out ReadOnlySpan<byte> bytes, out _) ? Blit.View<V>(bytes) : default;
    }

    /// <summary>Reads a variable of values.</summary>
    /// <param name="reuse">Filled and returned when its length is right.</param>
    /// <returns>The array; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no whole number of values, or one is not valid.</exception>
    public V[]? ReadArray<V>(V[]? reuse = null)
        where V : unmanaged
    {
        if (!TryReadElements(FixedFormat.Size<V>(), out ReadOnlySpan<byte> bytes, out int count))
        {
            return null;
        }

        V[] array = reuse is not null && reuse.Length == count ? reuse : NewArray<V>(count);
        Fill(bytes, array);
        return array;
    }

    /// <summary>Reads a variable of values.</summary>
    /// <param name="reuse">Filled and returned when there is one.</param>
    /// <returns>The list; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no whole number of values, or one is not valid.</exception>
    public List<V>? ReadList<V>(List<V>? reuse = null)
        where V : unmanaged
    {
        if (!TryReadElements(FixedFormat.Size<V>(), out ReadOnlySpan<byte> bytes, out int count))
        {
            return null;
        }

        List<V> list = reuse ?? new List<V>(count);
        CollectionsMarshal.SetCount(list, count);
        Fill(bytes, CollectionsMarshal.AsSpan(list));
        return list;
    }

    /// <summary>Reads a variable of values or nulls.</summary>
    /// <param name="reuse">Filled and returned when its length is right.</param>
    /// <returns>The array; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no whole number of elements, or one is not valid.</exception>
    public V?[]? ReadNullableArray<V>(V?[]? reuse = null)
        where V : unmanaged
    {
        if (!TryReadElements(1 + FixedFormat.Size<V>(), out ReadOnlySpan<byte> bytes, out int count))
        {
            return null;
        }

        V?[] array = reuse is not null && reuse.Length == count ? reuse : NewArray<V?>(count);
        FillNullable(bytes, array);
        return array;
    }

    /// <summary>Reads a variable of values or nulls.</summary>
    /// <param name="reuse">Filled and returned when there is one.</param>
    /// <returns>The list; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no whole number of elements, or one is not valid.</exception>
    public List<V?>? ReadNullableList<V>(List<V?>? reuse = null)
        where V : unmanaged
    {
        if (!TryReadElements(1 + FixedFormat.Size<V>(), out ReadOnlySpan<byte> bytes, out int count))
        {
            return null;
        }

        List<V?> list = reuse ?? new List<V?>(count);
        CollectionsMarshal.SetCount(list, count);
        FillNullable(bytes, CollectionsMarshal.AsSpan(list));
        return list;
    }

    /// <summary>Reads a variable that is a sequence of messages.</summary>
    /// <param name="reuse">Its messages are filled by position; returned itself when its length is right.</param>
    /// <returns>The array; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no such sequence.</exception>
    public M?[]? ReadMessageArray<M>(M?[]? reuse = null)
        where M : IPackable<M>
    {
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int count = ReadCount<M>();
        M?[] array = Sized(reuse, count);
        M? before = default;
        for (int i = 0; i < array.Length; i++)
        {
            array[i] = Unshared(array[i], ref before);
            ReadMessage(ref array[i]);
        }

        EndWholeVariable(scope);
        return array;
    }

    /// <summary>Reads a variable that is a sequence of messages.</summary>
    /// <param name="reuse">Its messages are filled by position, surplus ones dropped; returned itself when there is one.</param>
    /// <returns>The list; null for the null mark.</returns>
    /// <exception cref="PackException">The bytes are no such sequence.</exception>
    public List<M?>? ReadMessageList<M>(List<M?>? reuse = null)
        where M : IPackable<M>
    {
        if (!BeginVariable(out VariableScope scope))
        {
            return null;
        }

        int count = ReadCount<M>();
        List<M?> list = reuse ?? new List<M?>(count);
        CollectionsMarshal.SetCount(list, count);
        M? before = default;
        for (int i = 0; i < count; i++)
        {
            // Through a local, because a setter of the message may change the list, and then a span of it would be stale.
            M? message = Unshared(list[i], ref before);
            ReadMessage(ref message);
            list[i] = message;
        }

        EndWholeVariable(scope);
        return list;
    }

    /// <summary>Reads the lengths of an array of several dimensions. Refuses more elements than the bytes left can contain.</summary>
    /// <param name="lengths">One for each dimension.</param>
    /// <param name="minimumElementSize">The fewest bytes an element can have, 1 or more.</param>
    /// <exception cref="PackException">Too many elements for the bytes left, or for an array.</exception>
    public void ReadLengths(scoped Span<int> lengths, int minimumElementSize)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(minimumElementSize, 1);
        int start = _position;
        bool isEmpty = false;
        long product = 1L;
        foreach (ref int length in lengths)
        {
            // The product leaves out zeros, because the runtime multiplies the lengths of an empty array too, and must not overflow.
            uint declared = ReadRaw<uint>();
            isEmpty |= declared == 0;
            product *= Math.Max(1, declared);
            if (product > Array.MaxLength)
            {
                PackException.ThrowCount(start, product, Remaining);
            }

            length = (int)declared;
        }

        if (!isEmpty && (product * minimumElementSize > Remaining || !TryPromise(product, minimumElementSize)))
        {
            PackException.ThrowCount(start, product, Remaining);
        }
    }

    /// <summary>For generated code: an array of so many elements to fill; the given array if its length is right.</summary>
    /// <typeparam name="T">The elements' type.</typeparam>
    /// <param name="given">The present array; null for none.</param>
    /// <param name="count">How many elements, as <see cref="ReadCount{T}"/> gave it.</param>
    /// <returns>The given array, or a new one with the given array's elements at the positions that both have.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static T[] Sized<T>(T[]? given, int count)
    {
        if (given is not null && given.Length == count && IsExact(given))
        {
            return given;
        }

        if (count == 0)
        {
            return [];
        }

        var sized = new T[count];
        if (given is not null)
        {
            Array.Copy(given, sized, Math.Min(given.Length, count));
        }

        return sized;
    }

    /// <summary>
    /// For generated code: whether an array's type is the declared one. Elements of other types do not fit into an array of a derived type.
    /// </summary>
    /// <typeparam name="TArray">The declared type.</typeparam>
    /// <param name="array">The array.</param>
    /// <returns>False for an array of another type.</returns>
    [EditorBrowsable(EditorBrowsableState.Never)]
    public static bool IsExact<TArray>(TArray array)
        where TArray : class
        => array.GetType() == typeof(TArray);

    /// <summary>
    /// The object that may be filled at a position: the given one, unless it is also at the position before, and was filled for that.
    /// </summary>
    internal static M? Unshared<M>(M? given, ref M? before)
    {
        if (typeof(M).IsValueType)
        {
            return given;
        }

        bool isShared = ReferenceEquals(given, before);
        before = given;
        return isShared ? default : given;
    }

    private bool TryReadElements(int elementSize, out ReadOnlySpan<byte> bytes, out int count)
    {
        bytes = default;
        count = 0;
        if (!TryReadLength(out int length))
        {
            return false;
        }

        CountVariable();
        count = Math.DivRem(length, elementSize, out int rest);
        if (rest != 0)
        {
            PackException.ThrowRagged(_position, (uint)length, elementSize);
        }

        if (count > Array.MaxLength)
        {
            PackException.ThrowCount(_position, count, Remaining);
        }

        bytes = _window.Slice(_position, length);
        _position += length;
        return true;
    }

    private readonly void Fill<V>(ReadOnlySpan<byte> bytes, Span<V> values)
        where V : unmanaged
    {
        int origin = _position - bytes.Length;
        if (FixedFormat.IsBlittable<V>())
        {
            bytes.CopyTo(Blit.AsBytes(values));
        }
        else
        {
            for (int i = 0; i < values.Length; i++)
            {
                values[i] = FixedFormat.Read<V>(bytes, i * FixedFormat.Size<V>(), origin);
            }
        }
    }

    private readonly void FillNullable<V>(ReadOnlySpan<byte> bytes, Span<V?> values)
        where V : unmanaged
    {
        int origin = _position - bytes.Length;
        for (int i = 0; i < values.Length; i++)
        {
            values[i] = FixedFormat.ReadNullable<V>(bytes, i * (1 + FixedFormat.Size<V>()), origin);
        }
    }

    private static T[] NewArray<T>(int count) => count == 0 ? [] : GC.AllocateUninitializedArray<T>(count);
}
