namespace BlitQueue.Memory;

/// <summary>One word of a mapping, whose bounds were checked when it was made, so that hot words are reached by one load.</summary>
/// <typeparam name="T">A 32-bit or 64-bit integer; of another type no access is atomic.</typeparam>
/// <remarks>Valid as long as its <see cref="MappedRegion"/> is.</remarks>
internal readonly unsafe struct SharedWord<T>
    where T : unmanaged
{
    private readonly T* _word;

    internal SharedWord(T* word) => _word = word;

    public ref T Value => ref *_word;
}
