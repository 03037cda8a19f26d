namespace BlitQueue.Memory;

/// <summary>A word of this process alone that is never 0, for a caller that must find a lock's word taken.</summary>
internal static unsafe class TakenWord
{
    private static readonly long[] Words = Make();

    public static SharedWord<long> Word
    {
        get
        {
            // The array is pinned, and the field preserves it.
            fixed (long* word = Words)
            {
                return new SharedWord<long>(word);
            }
        }
    }

    private static long[] Make()
    {
        long[] words = GC.AllocateArray<long>(1, pinned: true);
        words[0] = -1;
        return words;
    }
}
