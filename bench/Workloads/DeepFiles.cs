using BlitQueue.Bench.Measuring;
using BlitQueue.Bench.Messages;
using BlitQueue.Memory;
using BlitQueue.Platform;

namespace BlitQueue.Bench.Depth;

/// <summary>As many files as a deep queue on disk has segments, full of messages, made when first asked for.</summary>
internal sealed class DeepFiles(long bytes, int size) : IDisposable
{
    public const int FileSize = 64 << 20;

    private readonly int _count = (int)Math.Max(3, bytes / FileSize);
    private Place? _place;

    /// <summary>Maps one of them; after the last one the first follows.</summary>
    public MappedRegion Map(int number)
    {
        _place ??= Make();
        using var file = File.OpenHandle(PathOf(_place, number % _count), FileMode.Open, FileAccess.ReadWrite, FileShare.ReadWrite);
        return new MappedRegion(file, FileSize);
    }

    public void Dispose()
    {
        _place?.Dispose();
        _place = null;
    }

    private static string PathOf(Place place, int number) => Path.Combine(place.Path, $"file-{number}");

    private Place Make()
    {
        var place = new Place(onDisk: true);
        byte[] message = new byte[size];
        Pattern.Fill(message);
        for (int number = 0; number < _count; number++)
        {
            using var file = File.OpenHandle(PathOf(place, number), FileMode.CreateNew, FileAccess.ReadWrite, FileShare.ReadWrite);
            Recommended.Platform.Preallocate(file, FileSize);
            using var region = new MappedRegion(file, FileSize);
            for (long offset = 0; offset < FileSize; offset += size)
            {
                message.CopyTo(region.Bytes(offset, size));
            }
            RandomAccess.FlushToDisk(file);
        }
        return place;
    }
}
