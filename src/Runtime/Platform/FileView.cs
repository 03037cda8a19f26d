namespace BlitQueue.Platform;

/// <summary>Bytes of a file in the address space, until it is disposed.</summary>
/// <param name="address">Of the first one.</param>
internal abstract class FileView(nint address) : IDisposable
{
    public nint Address { get; } = address;

    /// <summary>Unmaps them, syncs nothing. Not twice at the same time.</summary>
    public abstract void Dispose();
}
