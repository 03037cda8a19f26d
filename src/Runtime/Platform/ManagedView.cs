using System.IO.MemoryMappedFiles;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Platform;

/// <summary>A view as .NET maps it, on every system.</summary>
internal sealed class ManagedView : FileView
{
    private readonly MemoryMappedViewAccessor _view;

    // A view of the file's first bytes, so that it begins where the mapping begins.
    private ManagedView(MemoryMappedViewAccessor view) : base(view.SafeMemoryMappedViewHandle.DangerousGetHandle()) => _view = view;

    /// <summary>A view of a file that is at least that long.</summary>
    public static ManagedView Of(SafeFileHandle file, long length, bool isWritten)
    {
        MemoryMappedFileAccess access = isWritten ? MemoryMappedFileAccess.ReadWrite : MemoryMappedFileAccess.Read;
        // Of the file's whole length, because .NET refuses a shorter one.
        const int wholeFile = 0;
        using var mapping = MemoryMappedFile.CreateFromFile(
            file, mapName: null, wholeFile, access, HandleInheritability.None, leaveOpen: true);
        return Of(mapping, length, access);
    }

    /// <summary>Memory of no file, filled with zeros.</summary>
    public static ManagedView OfNothing(long length)
    {
        using var mapping = MemoryMappedFile.CreateNew(mapName: null, length);
        return Of(mapping, length, MemoryMappedFileAccess.ReadWrite);
    }

    private static ManagedView Of(MemoryMappedFile mapping, long length, MemoryMappedFileAccess access)
    {
        bool isHeld = false;
        MemoryMappedViewAccessor view = mapping.CreateViewAccessor(0, length, access);
        view.SafeMemoryMappedViewHandle.DangerousAddRef(ref isHeld);
        return new ManagedView(view);
    }

    public override void Dispose()
    {
        if (!_view.SafeMemoryMappedViewHandle.IsClosed)
        {
            _view.SafeMemoryMappedViewHandle.DangerousRelease();
            // First, because disposing of the view would sync it, which was not asked for, and no caller would learn of a failure.
            _view.SafeMemoryMappedViewHandle.Dispose();
            _view.Dispose();
        }
    }
}
