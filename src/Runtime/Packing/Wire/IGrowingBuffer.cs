using System.Buffers;

namespace BlitQueue;

/// <summary>
/// A destination whose room can become longer while a message is being packed into it, so that a large one is never copied to grow.
/// </summary>
internal interface IGrowingBuffer : IBufferWriter<byte>
{
    /// <summary>
    /// The room behind what was advanced over, of at least so many bytes. Spans that were got before stay valid memory until the message
    /// ends; their content is at the start of this one only where it begins at the same place.
    /// </summary>
    /// <param name="size">Bytes; more than one buffer of the pool is to hold.</param>
    /// <param name="room">The room.</param>
    /// <returns>false where it cannot grow; the caller packs elsewhere and copies.</returns>
    bool TryGrow(int size, out Span<byte> room);
}
