namespace BlitQueue.Memory;

/// <summary>A mark that one thread at a time can set. With it no floor above needs interlocked instructions of its own.</summary>
internal sealed class AtomicFlag
{
    private int _set;

    /// <returns>true for the one caller that set it.</returns>
    public bool TrySet() => Volatile.Read(ref _set) == 0 && Interlocked.Exchange(ref _set, 1) == 0;

    public bool IsSet => Volatile.Read(ref _set) != 0;

    /// <returns>true for the one caller that cleared it: a thread that sets it from then on finds it clear.</returns>
    public bool TryClear() => Volatile.Read(ref _set) != 0 && Interlocked.Exchange(ref _set, 0) != 0;

    public void Clear() => Volatile.Write(ref _set, 0);
}
