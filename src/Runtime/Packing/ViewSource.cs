using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BlitQueue;

/// <summary>The bytes that all views of one root message look at, and what message that is. Offsets are those of these bytes.</summary>
internal readonly ref struct ViewSource
{
    private readonly ViewRoot? _root;

    public ViewSource(ReadOnlySpan<byte> bytes, ViewRoot root)
    {
        Bytes = bytes;
        _root = root;
    }

    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Reads a value; the caller has found it to be inside its message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V Read<V>(int offset)
        where V : unmanaged
        => FixedFormat.IsBlittable<V>() ? FixedFormat.Read<V>(Bytes, offset, origin: 0) : ReadChecked<V>(Bytes, _root, offset);

    /// <summary>The same behind a byte of presence.</summary>
    public V? ReadNullable<V>(int offset)
        where V : unmanaged
    {
        try
        {
            return FixedFormat.ReadNullable<V>(Bytes, offset, origin: 0);
        }
        catch (PackException fault)
        {
            throw Named(fault);
        }
    }

    /// <summary>A reader of a part, as one of the whole would be when it comes there.</summary>
    /// <param name="start">The part's first byte.</param>
    /// <param name="end">Behind its last.</param>
    /// <param name="depth">How many messages it is in.</param>
    public PackReader Reader(int start, int end, int depth)
        => new(Bytes[..end], start, depth, start > 0 && _root is { Schema.KeepsIdentity: true } ? _root.ReadObjects(Bytes).From(start) : null);

    /// <summary>The same fault with the root message's name and the path of the member it is in.</summary>
    public PackException Named(PackException fault) => _root is null ? fault : fault.Locate(_root.Schema, Bytes);

    [DoesNotReturn]
    [MethodImpl(MethodImplOptions.NoInlining)]
    public void Throw(PackException fault) => throw Named(fault);

    // Out of line, and fed by value, because of the catch: what is read by the way stays in registers.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static V ReadChecked<V>(ReadOnlySpan<byte> bytes, ViewRoot? root, int offset)
        where V : unmanaged
    {
        try
        {
            return FixedFormat.Read<V>(bytes, offset, origin: 0);
        }
        catch (PackException fault) when (root is not null)
        {
            throw fault.Locate(root.Schema, bytes);
        }
    }
}
