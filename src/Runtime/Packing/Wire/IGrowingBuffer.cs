namespace BlitQueue;

/// <summary>A destination whose room can grow while a message is packed into it, so that growing never copies a large message.</summary>
internal interface IGrowingBuffer : IBufferWriter<byte>
{
    /// <summary>
    /// The room behind the bytes that were advanced over, at least so many bytes. Spans that were returned before stay valid until the
    /// message ends; their content is at the start of this span only if both begin at the same address.
    /// </summary>
    /// <param name="size">Bytes; more than a buffer of the pool should have.</param>
    /// <param name="room">The room.</param>
    /// <returns>false if it cannot grow: the caller packs elsewhere and copies.</returns>
    bool TryGrow(int size, out Span<byte> room);
}
