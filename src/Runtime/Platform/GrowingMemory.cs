namespace BlitQueue.Platform;

/// <summary>
/// Memory of this process alone, of no file: a range of the address space whose first bytes can be used, more of them after each
/// <see cref="TryGrow"/>. Written bytes never move, and the system provides pages only where the range is touched.
/// </summary>
internal abstract class GrowingMemory(nint address) : IDisposable
{
    public nint Address { get; } = address;

    /// <summary>Makes at least so many bytes from the start usable.</summary>
    /// <returns>false if the range is shorter, or the system has no memory for them.</returns>
    public abstract bool TryGrow(long length);

    /// <summary>Gives all of it back to the system at once. Two threads must not call it at the same time.</summary>
    public abstract void Dispose();
}
