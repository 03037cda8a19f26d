namespace BlitQueue.Views;

/// <summary>
/// The bytes that all views of one root message read, and the type of that message. All offsets count from the start of these bytes.
/// </summary>
internal readonly ref struct ViewSource
{
    private readonly ViewRoot? _root;

    public ViewSource(ReadOnlySpan<byte> bytes, ViewRoot root)
    {
        Bytes = bytes;
        _root = root;
    }

    public ReadOnlySpan<byte> Bytes { get; }

    /// <summary>Reads a value; the caller has checked that it is inside of its message.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V Read<V>(int offset)
        where V : unmanaged => FixedFormat.Read<V>(Bytes, offset, origin: 0, _root);

    /// <summary>The same behind a byte of presence.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public V? ReadNullable<V>(int offset)
        where V : unmanaged => FixedFormat.ReadNullable<V>(Bytes, offset, origin: 0, _root);

    /// <summary>A reader of a part, so many messages deep, in the state that a reader of the whole would have there.</summary>
    public PackReader Reader(int start, int end, int depth)
        => new(
            Bytes[..end], Bytes.Length, start, depth,
            start > 0 && _root is { Schema.PreservesIdentity: true } ? _root.ReadObjects(Bytes).From(start) : null);

    /// <summary>Unpacks a part that is a message.</summary>
    public void Unpack<T>(int start, int end, int depth, ref T? target)
        where T : IPackable<T>
    {
        try
        {
            PackReader reader = Reader(start, end, depth);
            T.Unpack(ref reader, ref target);
        }
        catch (PackException fault)
        {
            throw Named(fault);
        }
    }

    /// <summary>The same fault with the root message's name and the path of the member it is in.</summary>
    public PackException Named(PackException fault) => _root is null ? fault : fault.Locate(_root.Schema, Bytes);

    // Static, and with parameters by value, like the other rare ones: a call that takes a view's address would prevent the JIT from holding
    // it in registers where nothing is wrong.
    [DoesNotReturn]
    public static void Throw(ViewSource source, PackException fault) => throw source.Named(fault);
}
