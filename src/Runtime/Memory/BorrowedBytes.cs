namespace BlitQueue.Memory;

/// <summary>
/// Bytes of a span that an object may read while the call that lends them runs. The lender makes sure that the object does not read them
/// later.
/// </summary>
internal readonly unsafe struct BorrowedBytes
{
    private readonly byte* _start;
    private readonly int _length;

    private BorrowedBytes(byte* start, int length)
    {
        _start = start;
        _length = length;
        AreLent = true;
    }

    /// <summary>false for the default, which is none.</summary>
    public bool AreLent { get; }

    public ReadOnlySpan<byte> Span => new(_start, _length);

    /// <summary>Lends a span to a function, which must not store it.</summary>
    public static TResult Lend<TArgument, TResult>(
        ReadOnlySpan<byte> bytes, TArgument argument, Func<BorrowedBytes, TArgument, TResult> use)
    {
        fixed (byte* start = bytes)
        {
            return use(new BorrowedBytes(start, bytes.Length), argument);
        }
    }
}
