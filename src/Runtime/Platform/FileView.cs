namespace BlitQueue.Platform;

/// <summary>Bytes of a file in the address space, from an address on, until it is disposed.</summary>
internal abstract class FileView(nint address) : IDisposable
{
    public nint Address { get; } = address;

    /// <summary>Unmaps them, syncs nothing. Not twice at the same time.</summary>
    public abstract void Dispose();
}
