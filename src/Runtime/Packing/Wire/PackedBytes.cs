using BlitQueue.Memory;

namespace BlitQueue;

/// <summary>A packed message in memory of its own. Its owner disposes it, once.</summary>
internal sealed class PackedBytes : IDisposable
{
    private readonly ScratchBytes _bytes;

    private PackedBytes(ScratchBytes bytes, int length) => (_bytes, Length) = (bytes, length);

    public int Length { get; }

    public Span<byte> Span => _bytes.GetSpan()[..Length];

    /// <summary>Room for a message of this length, with any content.</summary>
    public static PackedBytes Rent(int length) => new(ScratchBytes.Rent(length), length);

    /// <summary>A copy of a packed message.</summary>
    public static PackedBytes Of(ReadOnlySpan<byte> packed) => new(ScratchBytes.Of(packed), packed.Length);

    /// <summary>What a writer has packed: its own memory, or a copy of other memory. The writer is to be abandoned.</summary>
    public static PackedBytes Of(ref PackWriter writer) =>
        new(writer.TakeOwnMemory() ?? ScratchBytes.Of(writer.Packed), writer.Written);

    /// <summary>Packs a message.</summary>
    /// <exception cref="PackException">It cannot be packed.</exception>
    public static PackedBytes Pack<T>(in T message)
        where T : IPackable<T>
    {
        var writer = new PackWriter(Packer.Nowhere, room: default);
        try
        {
            T.Pack(ref writer, in message);
            return Of(ref writer);
        }
        finally
        {
            writer.Abandon();
        }
    }

    public void Dispose() => ((IDisposable)_bytes).Dispose();
}
