using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>A view with a handle to its file, for systems that bring a mapping to the disk only by a handle.</summary>
/// <param name="view">The view, which this one owns.</param>
/// <param name="file">The handle, which this view owns.</param>
internal class SyncedView(FileView view, SafeFileHandle file) : FileView(view.Address)
{
    /// <summary>The handle; closed where the view is disposed or detached.</summary>
    public SafeFileHandle File => file;

    public override void Dispose()
    {
        view.Dispose();
        file.Dispose();
    }

    public override void Detach()
    {
        view.Detach();
        file.Dispose();
    }
}
