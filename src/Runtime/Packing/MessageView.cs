using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>A packed message, read member by member where it stands: what every generated view is made of.</summary>
/// <remarks>
/// The header is read once, on construction; from then on nothing that the bytes turn into can lead outside of them. A member that the
/// writer did not know, and every member of a null message, is its type's default. Offsets and places are those of docs/FORMAT.md.
/// </remarks>
/// <example>
/// <code>
/// var order = new Order.View(bytes);
/// if (order.Customer == "Ada") total += order.Total;
/// </code>
/// </example>
public readonly ref struct MessageView
{
    // The whole message; the fixed block was found to be inside. Empty for null.
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly uint _header;
    private readonly int _origin;
    private readonly int _depth;

    /// <summary>Views a root message.</summary>
    /// <param name="packed">Bytes that begin with a packed message; what follows it is left alone.</param>
    /// <exception cref="PackException">No message begins here, or only the null mark.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public MessageView(ReadOnlySpan<byte> packed)
    {
        if (!BitConverter.IsLittleEndian)
            throw new PlatformNotSupportedException("BlitQueue runs on little-endian machines only.");

        _header = Header(packed, 0);
        _bytes = packed;
        _depth = 1;
    }

    /// <summary>Views a message that is a variable of another.</summary>
    /// <param name="variable">The variable; of null, a null view is made.</param>
    /// <exception cref="PackException">The content is no message, or more than 64 messages are inside each other.</exception>
    public MessageView(VariableView variable)
    {
        if (variable.IsNull)
            return;

        if (variable.Depth >= MessageFormat.MaxDepth)
            PackException.ThrowTooDeep(variable.Origin);

        // A message that is packed as null inside its variable is null as well.
        if (Blit.TryRead(variable.Bytes, 0, out uint header) && header == MessageFormat.Null)
            return;

        _header = Header(variable.Bytes, variable.Origin);
        _bytes = variable.Bytes;
        _origin = variable.Origin;
        _depth = variable.Depth + 1;
    }

    /// <summary>There is no message: every member is its type's default.</summary>
    public bool IsNull => _bytes.IsEmpty;

    private int FixedLength => (int)(_header & 0xFFFF);

    private int VariableCount => (int)(_header >> 16);

    /// <summary>Reads a member of a fixed-size kind.</summary>
    /// <param name="offset">Bytes from the fixed block's start.</param>
    /// <returns>A valid value of its type; the default when the writer did not know the member.</returns>
    /// <exception cref="PackException">The fixed block ends inside the value, or the bytes are no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V Read<V>(int offset)
        where V : unmanaged
        => Blit.Holds(FixedLength, offset, FixedFormat.Size<V>())
            ? FixedFormat.Read<V>(_bytes, MessageFormat.HeaderSize + offset, _origin)
            : Missing<V>(FixedLength, _origin, offset, FixedFormat.Size<V>());

    /// <summary>Reads a member behind its byte of presence.</summary>
    /// <param name="offset">Bytes from the fixed block's start.</param>
    /// <returns>The value; null also when the writer did not know the member.</returns>
    /// <exception cref="PackException">The fixed block ends inside the slot, or the bytes are no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V? ReadNullable<V>(int offset)
        where V : unmanaged
        => Blit.Holds(FixedLength, offset, 1 + FixedFormat.Size<V>())
            ? FixedFormat.ReadNullable<V>(_bytes, MessageFormat.HeaderSize + offset, _origin)
            : Missing<V?>(FixedLength, _origin, offset, 1 + FixedFormat.Size<V>());

    /// <summary>Views a member of variable size. The variables in front of it are stepped over, each by its length.</summary>
    /// <param name="index">The member's place among the variables.</param>
    /// <returns>The view; of null also when the writer did not know the member.</returns>
    /// <exception cref="PackException">A variable is not wholly here, or cannot be what the view reads.</exception>
    public TView Variable<TView>(int index)
        where TView : IPackView<TView>, allows ref struct
        => TView.Of(Variable(index));

    /// <summary>Finds a variable.</summary>
    /// <param name="index">Its place among the variables.</param>
    /// <returns>The variable; null also when the writer did not know it.</returns>
    /// <exception cref="PackException">A variable up to this one is not wholly here.</exception>
    public VariableView Variable(int index)
    {
        if ((uint)index >= (uint)VariableCount)
            return default;

        var walk = new VariableWalk(_bytes, MessageFormat.HeaderSize + FixedLength, _origin, _depth);
        while (index-- > 0)
            walk.Next();
        return walk.Next();
    }

    /// <summary>Unpacks the whole message.</summary>
    /// <returns>A new message; the default of <typeparamref name="T"/> for null.</returns>
    /// <exception cref="PackException">The bytes are no such message; offsets count from this message's first byte.</exception>
    public T? ToObject<T>()
        where T : IPackable<T>
    {
        T? message = default;
        CopyTo(ref message);
        return message;
    }

    /// <summary>Unpacks the whole message into an instance where there is one.</summary>
    /// <param name="target">The instance to fill, or null; the default of <typeparamref name="T"/> afterwards when this view is null.</param>
    /// <exception cref="PackException">The bytes are no such message; offsets count from this message's first byte.</exception>
    public void CopyTo<T>(ref T? target)
        where T : IPackable<T>
    {
        if (IsNull)
            target = default;
        else if (_depth > 1)
            Packer.UnpackPart(_bytes, ref target);
        else
            Packer.Unpack(_bytes, ref target);
    }

    // Read once: what is in range here stays in range, whatever becomes of the bytes.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Header(ReadOnlySpan<byte> bytes, int origin)
    {
        if (!Blit.TryRead(bytes, 0, out uint header)
            || header > MessageFormat.MaxHeader
            || (header & 0xFFFF) > Math.Min(MessageFormat.MaxPart, (uint)bytes.Length - MessageFormat.HeaderSize))
            ThrowHeader(bytes, origin);
        return header;
    }

    private static V Missing<V>(int length, int origin, int offset, int size)
    {
        if (offset < length)
            PackException.ThrowMemberCut(origin + MessageFormat.HeaderSize + offset, size, length - offset);
        return default!;
    }

    private static void ThrowHeader(ReadOnlySpan<byte> bytes, int origin)
    {
        // Reads again for the message's sake: bytes that have changed meanwhile are refused all the same.
        if (!Blit.TryRead(bytes, 0, out uint header))
            PackException.ThrowCutOff(origin, MessageFormat.HeaderSize, bytes.Length);
        if (header == MessageFormat.Null)
            PackException.ThrowNullView(origin);
        if (header > MessageFormat.MaxHeader || (header & 0xFFFF) > MessageFormat.MaxPart)
            PackException.ThrowHeader(origin, header);
        PackException.ThrowCutOff(origin + MessageFormat.HeaderSize, header & 0xFFFF, bytes.Length - MessageFormat.HeaderSize);
    }
}
