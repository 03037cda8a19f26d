using BlitQueue.Memory;

namespace BlitQueue.Views;

/// <summary>A packed message, read member by member in place. Every generated view uses it.</summary>
/// <remarks>
/// The header is read once, on construction. After that no change of the bytes can make the view read outside of them. A member that the
/// writer did not know, and every member of a null message, is its type's default. Offsets and indices are those of docs/FORMAT.md.
/// </remarks>
/// <example>
/// <code>
/// var order = new Order.View(bytes);
/// if (order.Customer == "Ada") total += order.Total;
/// </code>
/// </example>
public readonly ref struct MessageView
{
    private readonly ViewSource _source;
    private readonly uint _header;
    private readonly int _start;

    // 0 for null. The constructor has checked that the fixed block is in front of it.
    private readonly int _end;
    private readonly int _depth;

    /// <summary>Views a message that is a variable of another.</summary>
    /// <param name="variable">The variable; null becomes a null view.</param>
    /// <exception cref="PackException">The content is no message, or more than 64 messages are inside each other.</exception>
    /// <exception cref="InsufficientExecutionStackException">The thread's stack is too small for views so deep.</exception>
    public MessageView(VariableView variable)
    {
        if (variable.IsNull)
        {
            return;
        }

        if (variable.Depth >= MessageFormat.DepthThatLooksAtStack)
        {
            LimitDepth(variable);
        }

        // A message that is packed as null inside of its variable is null as well.
        if (variable.Length >= MessageFormat.HeaderSize
            && Blit.TryRead(variable.Source.Bytes, variable.Start, out uint header)
            && header == MessageFormat.Null)
        {
            return;
        }

        _header = Header(variable.Source, variable.Start, variable.End);
        _source = variable.Source;
        _start = variable.Start;
        _end = variable.End;
        _depth = variable.Depth + 1;
    }

    // Code that walks views of messages inside each other calls itself for each, with a stack frame that this library cannot limit.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void LimitDepth(VariableView variable)
    {
        if (variable.Depth >= MessageFormat.MaxDepth)
        {
            ViewSource.Throw(variable.Source, PackException.TooDeep(variable.Start));
        }

        ThreadStack.Require(variable.Depth);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private MessageView(ViewSource source)
    {
        Blit.RequireLittleEndian();
        _header = Header(source, 0, source.Bytes.Length);
        _source = source;
        _end = source.Bytes.Length;
        _depth = 1;
    }

    /// <summary>There is no message: every member is its type's default.</summary>
    public bool IsNull => _end == 0;

    internal ViewSource Source => _source;

    /// <summary>The header's first byte, counted from the first byte of the root message.</summary>
    internal int Start => _start;

    internal int FixedLength => (int)(_header & 0xFFFF);

    internal int VariableCount => (int)(_header >> 16);

    /// <summary>Views a root message.</summary>
    /// <typeparam name="T">The message.</typeparam>
    /// <param name="packed">Bytes that begin with a packed message; bytes behind it are ignored.</param>
    /// <returns>The view.</returns>
    /// <exception cref="PackException">No message begins here, or only the null mark.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static MessageView Of<T>(ReadOnlySpan<byte> packed)
        where T : IPackable<T> => new(new ViewSource(packed, ViewRoot.Of<T>.Instance));

    /// <summary>Reads a member of a fixed-size kind.</summary>
    /// <param name="offset">Bytes from the fixed block's start.</param>
    /// <returns>A valid value of its type; the default when the writer did not know the member.</returns>
    /// <exception cref="PackException">The fixed block ends inside the value, or the bytes are no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V Read<V>(int offset)
        where V : unmanaged
        => Blit.Fits(FixedLength, offset, FixedFormat.Size<V>())
            ? _source.Read<V>(_start + MessageFormat.HeaderSize + offset)
            : Missing<V>(_source, _start + MessageFormat.HeaderSize + offset, FixedFormat.Size<V>(), FixedLength - offset);

    /// <summary>Reads a member behind its byte of presence.</summary>
    /// <param name="offset">Bytes from the fixed block's start.</param>
    /// <returns>The value; null also when the writer did not know the member.</returns>
    /// <exception cref="PackException">The fixed block ends inside the slot, or the bytes are no valid value.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V? ReadNullable<V>(int offset)
        where V : unmanaged
        => Blit.Fits(FixedLength, offset, 1 + FixedFormat.Size<V>())
            ? _source.ReadNullable<V>(_start + MessageFormat.HeaderSize + offset)
            : Missing<V?>(_source, _start + MessageFormat.HeaderSize + offset, 1 + FixedFormat.Size<V>(), FixedLength - offset);

    /// <summary>Views a member of variable size. It skips the variables in front of it, each by its length.</summary>
    /// <param name="index">The member's index among the variables.</param>
    /// <returns>The view; of null also when the writer did not know the member.</returns>
    /// <exception cref="PackException">A variable is not wholly here, or cannot be what the view reads.</exception>
    public TView Variable<TView>(int index)
        where TView : IPackView<TView>, allows ref struct
        => TView.Of(Variable(index));

    /// <summary>Finds a variable.</summary>
    /// <param name="index">Its index among the variables.</param>
    /// <returns>The variable; null also when the writer did not know it.</returns>
    /// <exception cref="PackException">A variable up to this one is not wholly here.</exception>
    public VariableView Variable(int index)
    {
        if ((uint)index >= (uint)VariableCount)
        {
            return default;
        }

        VariableIterator walk = Variables();
        while (index-- > 0)
        {
            walk.Next();
        }

        return walk.Next();
    }

    /// <summary>Unpacks the whole message.</summary>
    /// <returns>A new message; the default of <typeparamref name="T"/> for null.</returns>
    /// <exception cref="PackException">The bytes are no such message.</exception>
    public T? ToObject<T>()
        where T : IPackable<T>
    {
        T? message = default;
        CopyTo(ref message);
        return message;
    }

    /// <summary>Unpacks the whole message into the given instance if there is one.</summary>
    /// <param name="target">
    /// The instance to fill, or null; the default of <typeparamref name="T"/> afterwards when this view is null.
    /// </param>
    /// <exception cref="PackException">The bytes are no such message.</exception>
    public void CopyTo<T>(ref T? target)
        where T : IPackable<T>
    {
        if (IsNull)
        {
            target = default;
        }
        else
        {
            _source.Unpack(_start, _end, _depth - 1, ref target);
        }
    }

    /// <summary>An iterator in front of the first variable.</summary>
    internal VariableIterator Variables() => new(_source, _start + MessageFormat.HeaderSize + FixedLength, _end, _depth);

    // Read once, so that an offset that is in range here stays in range, even if the bytes change.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static uint Header(ViewSource source, int start, int end)
    {
        int left = end - start - MessageFormat.HeaderSize;
        if (left < 0
            || !Blit.TryRead(source.Bytes, start, out uint header)
            || header > MessageFormat.MaxHeader
            || (header & 0xFFFF) > Math.Min(MessageFormat.MaxPart, (uint)left))
        {
            return ThrowHeader(source, start, end);
        }

        return header;
    }

    private static V Missing<V>(ViewSource source, int at, int size, int left)
    {
        if (left > 0)
        {
            ViewSource.Throw(source, PackException.MemberCut(at, size, left));
        }

        return default!;
    }

    private static uint ThrowHeader(ViewSource source, int start, int end)
    {
        // Reads again for the exception's text; bytes that have changed meanwhile are refused as well.
        int left = end - start - MessageFormat.HeaderSize;
        if (left < 0 || !Blit.TryRead(source.Bytes, start, out uint header))
        {
            ViewSource.Throw(source, PackException.CutOff(start, MessageFormat.HeaderSize, end - start));
        }
        else if (header == MessageFormat.Null)
        {
            ViewSource.Throw(source, PackException.NullView(start));
        }
        else if (header > MessageFormat.MaxHeader || (header & 0xFFFF) > MessageFormat.MaxPart)
        {
            ViewSource.Throw(source, PackException.Header(start, header));
        }
        else
        {
            ViewSource.Throw(source, PackException.CutOff(start + MessageFormat.HeaderSize, header & 0xFFFF, left));
        }

        return 0;
    }
}
