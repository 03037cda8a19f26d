using System.Runtime.CompilerServices;
using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>Goes from variable to variable, for views. Each length is read once, and what it spans is inside the bytes or refused.</summary>
internal ref struct VariableWalk
{
    private readonly ReadOnlySpan<byte> _bytes;
    private readonly int _origin;
    private readonly int _depth;
    private int _position;

    public VariableWalk(ReadOnlySpan<byte> bytes, int position, int origin, int depth)
    {
        _bytes = bytes;
        _position = position;
        _origin = origin;
        _depth = depth;
    }

    /// <summary>The next variable; there must be one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public VariableView Next()
    {
        var start = _position;
        if (!Blit.TryRead(_bytes, start, out uint length))
            PackException.ThrowCutOff(_origin + start, MessageFormat.HeaderSize, _bytes.Length - start);

        start += MessageFormat.HeaderSize;
        _position = start;
        if (length == MessageFormat.Null)
            return default;

        if (!Blit.TrySlice(_bytes, start, length, out var content))
            PackException.ThrowCutOff(_origin + start, length, _bytes.Length - start);
        _position = start + content.Length;
        return new VariableView(content, _origin + start, _depth);
    }
}
