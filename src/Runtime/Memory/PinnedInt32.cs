namespace BlitQueue.Memory;

/// <summary>A 32-bit word of this process alone, at an address that stays: threads can sleep on it in the kernel.</summary>
internal sealed unsafe class PinnedInt32
{
    private readonly int[] _word = GC.AllocateArray<int>(1, pinned: true);

    public ref int Value => ref _word[0];

    /// <summary>Adds one; a full fence.</summary>
    /// <returns>What it was.</returns>
    public int Increment() => Interlocked.Increment(ref Value) - 1;

    public nint Address => (nint)Unsafe.AsPointer(ref _word[0]);
}
