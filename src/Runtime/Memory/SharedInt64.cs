using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>
/// One 64-bit word of a mapping, checked against its bounds when it was taken: the hot words are reached by one load.
/// </summary>
internal readonly unsafe struct SharedInt64
{
    private readonly long* _word;

    internal SharedInt64(long* word) => _word = word;

    public ref long Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref *_word;
    }
}
