using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Links;

/// <summary>A pipe that has a name in the file system. Linux and macOS alone.</summary>
internal readonly partial struct PipeEnd(string place, FileAccess access) : IByteEnd
{
    private const uint OwnerOnly = 0x180;

    // Opening waits for the other end.
    private readonly FileStream _pipe = Open(place, access);

    public int Write(ReadOnlySpan<byte> bytes)
    {
        _pipe.Write(bytes);
        return bytes.Length;
    }

    public int Read(Span<byte> room) => _pipe.Read(room);

    public void Dispose() => _pipe.Dispose();

    private static FileStream Open(string place, FileAccess access)
    {
        // Whoever is second finds it there.
        _ = MakePipe(place, OwnerOnly);
        return new FileStream(place, FileMode.Open, access, FileShare.ReadWrite, bufferSize: 0);
    }

    [LibraryImport("libc", EntryPoint = "mkfifo", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int MakePipe(string path, uint mode);
}
