namespace BlitQueue.Log;

/// <summary>
/// The dead letter that a message was, as the message's properties name it. If the message is in the log, the letter is consumed.
/// </summary>
/// <param name="Letters">The id of the letters' queue.</param>
/// <param name="Position">The letter's position there.</param>
internal readonly record struct LetterOrigin(Guid Letters, long Position)
{
    /// <summary>The length of <see cref="ToBytes"/>.</summary>
    public const int Size = 16 + sizeof(long);

    /// <summary>Of bytes that <see cref="ToBytes"/> made.</summary>
    public static LetterOrigin Of(ReadOnlySpan<byte> bytes) =>
        new(new Guid(bytes[..16]), BinaryPrimitives.ReadInt64LittleEndian(bytes[16..]));

    /// <summary>The id's bytes, then the position.</summary>
    public byte[] ToBytes()
    {
        byte[] bytes = new byte[Size];
        Letters.TryWriteBytes(bytes);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(16), Position);
        return bytes;
    }
}
