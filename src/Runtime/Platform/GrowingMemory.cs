namespace BlitQueue.Platform;

/// <summary>
/// Memory of this process alone, of no file: a stretch of the address space whose first bytes can be used, more of them at each
/// <see cref="TryGrow"/>. What is written stays where it is, and the system gives pages to what is touched alone.
/// </summary>
internal abstract class GrowingMemory(nint address) : IDisposable
{
    public nint Address { get; } = address;

    /// <summary>Lets at least so many bytes from the start on be used.</summary>
    /// <returns>false where the stretch is shorter, or the system has no memory for them.</returns>
    public abstract bool TryGrow(long length);

    /// <summary>Gives all of it back to the system at once. Not twice at the same time.</summary>
    public abstract void Dispose();
}
