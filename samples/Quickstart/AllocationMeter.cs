namespace Quickstart;

/// <summary>Tells apart which step of a loop allocates how much on this thread.</summary>
internal sealed class AllocationMeter
{
    private long _last = GC.GetAllocatedBytesForCurrentThread();

    /// <summary>Bytes allocated since the lap before.</summary>
    public long Lap()
    {
        long before = _last;
        _last = GC.GetAllocatedBytesForCurrentThread();
        return _last - before;
    }
}
