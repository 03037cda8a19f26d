using BlitQueue.Memory;

namespace BlitQueue.Views;

/// <summary>
/// Goes from variable to variable, for views. It reads each length once, and refuses one that leads outside of the bytes.
/// </summary>
internal ref struct VariableIterator
{
    private readonly ViewSource _source;
    private readonly int _end;
    private readonly int _depth;
    private int _position;

    public VariableIterator(ViewSource source, int position, int end, int depth)
    {
        _source = source;
        _position = position;
        _end = end;
        _depth = depth;
    }

    /// <summary>Where the next part begins.</summary>
    public readonly int Position => _position;

    /// <summary>The next variable; there must be one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public VariableView Next()
    {
        int start = _position;
        if (_end - start < MessageFormat.HeaderSize || !Blit.TryRead(_source.Bytes, start, out uint length))
        {
            ViewSource.Throw(_source, PackException.CutOff(start, MessageFormat.HeaderSize, _end - start));
            return default;
        }

        start += MessageFormat.HeaderSize;
        _position = start;
        if (length > (uint)(_end - start))
        {
            return NullOrThrow(_source, start, length, _end - start);
        }

        _position = start + (int)length;
        return new VariableView(_source, start, _position, _depth);
    }

    /// <summary>The variable that <see cref="Next()"/> gave, by its bounds.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly VariableView At(int start, int end) => new(_source, start, end, _depth);

    /// <summary>The next part: a variable, or a value without a length in front. All parts of null are null.</summary>
    public VariableView Next<TView>()
        where TView : IPackView<TView>, allows ref struct
    {
        if (_end == 0)
        {
            return default;
        }

        if (TView.FixedSize <= 0)
        {
            return Next();
        }

        int start = _position;
        if (TView.FixedSize > _end - start)
        {
            ViewSource.Throw(_source, PackException.CutOff(start, TView.FixedSize, _end - start));
        }

        _position = start + TView.FixedSize;
        return new VariableView(_source, start, _position, _depth);
    }

    /// <summary>Skips the next part.</summary>
    [UnscopedRef]
    public ref VariableIterator Past<TView>()
        where TView : IPackView<TView>, allows ref struct
    {
        Next<TView>();
        return ref this;
    }

    /// <summary>Views the next part.</summary>
    public TView View<TView>()
        where TView : IPackView<TView>, allows ref struct => TView.Of(Next<TView>());

    /// <summary>The fewest bytes that such a part can have.</summary>
    public static int MinimumSize<TView>()
        where TView : IPackView<TView>, allows ref struct
        => TView.FixedSize > 0 ? TView.FixedSize : MessageFormat.HeaderSize;

    /// <summary>Skips the next variable, or the hole that is there instead.</summary>
    public void SkipField()
    {
        if (!TrySkipHole())
        {
            Next();
        }
    }

    /// <summary>Skips a hole, if there is one instead of the next variable.</summary>
    public bool TrySkipHole()
    {
        bool isHole = _end - _position >= MessageFormat.HeaderSize
            && Blit.TryRead(_source.Bytes, _position, out uint length)
            && length == MessageFormat.Hole;
        if (isHole)
        {
            _position += MessageFormat.HeaderSize;
        }

        return isHole;
    }

    private static VariableView NullOrThrow(ViewSource source, int start, uint length, int left)
    {
        if (length != MessageFormat.Null)
        {
            ViewSource.Throw(source, PackException.CutOff(start, length, left));
        }

        return default;
    }
}
