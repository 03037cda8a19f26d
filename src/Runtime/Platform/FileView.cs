namespace BlitQueue.Platform;

/// <summary>Bytes of a file that are mapped at an address until the view is disposed.</summary>
internal abstract class FileView(nint address) : IDisposable
{
    public nint Address { get; } = address;

    /// <summary>Unmaps them and syncs nothing. Two threads must not call it at the same time.</summary>
    public abstract void Dispose();

    /// <summary>
    /// Gives the file back, instead of <see cref="Dispose"/>, and leaves at the address memory of this process alone, filled with zeros, so
    /// that code which still has the address harms nothing. By default the view stays mapped until the process ends.
    /// </summary>
    public virtual void Detach()
    {
    }
}
