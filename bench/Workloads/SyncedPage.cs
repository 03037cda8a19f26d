using BlitQueue.Memory;
using BlitQueue.Platform;
using Microsoft.Win32.SafeHandles;

namespace BlitQueue.Bench.Durable;

/// <summary>A preallocated file, written page after page as a log is, and synced: what the system asks for, and no queue around it.</summary>
internal sealed class SyncedPage : IDisposable
{
    private const int Size = 64 << 20, Written = 80;

    private readonly SafeFileHandle _file;
    private readonly MappedRegion _region;

    public SyncedPage(string path)
    {
        _file = File.OpenHandle(path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite);
        Recommended.Platform.Preallocate(_file, Size);
        _region = new MappedRegion(_file, Size);
        RandomAccess.FlushToDisk(_file);
    }

    /// <summary>As many bytes as a message of 64 takes in a log.</summary>
    public void WriteAndSync(long number)
    {
        long start = number * Written % (Size - Written);
        _region.Bytes(start, Written).Fill((byte)number);
        _region.Sync(start, start + Written);
    }

    public void Dispose()
    {
        _region.Dispose();
        _file.Dispose();
    }
}
