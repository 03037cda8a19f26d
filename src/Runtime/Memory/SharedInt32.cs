using System.Runtime.CompilerServices;

namespace BlitQueue.Memory;

/// <summary>Likewise, a 32-bit word: see <see cref="SharedInt64"/>.</summary>
internal readonly unsafe struct SharedInt32
{
    private readonly int* _word;

    internal SharedInt32(int* word) => _word = word;

    public ref int Value
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => ref *_word;
    }
}
