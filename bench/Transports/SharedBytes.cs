using System.IO.MemoryMappedFiles;

namespace BlitQueue.Bench.Transports;

/// <summary>A file that two processes map, by pointer; zero when first opened.</summary>
internal sealed unsafe class SharedBytes : IDisposable
{
    private readonly MemoryMappedFile _file;
    private readonly MemoryMappedViewAccessor _view;

    public SharedBytes(string path, long length)
    {
        var stream = new FileStream(path, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.ReadWrite);
        if (stream.Length < length)
        {
            stream.SetLength(length);
        }
        _file = MemoryMappedFile.CreateFromFile(
            stream, mapName: null, length, MemoryMappedFileAccess.ReadWrite, HandleInheritability.None, leaveOpen: false);
        _view = _file.CreateViewAccessor(0, length, MemoryMappedFileAccess.ReadWrite);
        byte* start = null;
        _view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        Start = start;
    }

    public byte* Start { get; }

    public void Dispose()
    {
        _view.SafeMemoryMappedViewHandle.ReleasePointer();
        _view.Dispose();
        _file.Dispose();
    }
}
