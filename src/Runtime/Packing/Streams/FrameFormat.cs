namespace BlitQueue;

/// <summary>
/// A frame in a stream: u32 length, then so many bytes, which are one message. The end mark is written instead of a length.
/// </summary>
internal static class FrameFormat
{
    /// <summary>Bytes in front of a message.</summary>
    public const int HeaderSize = sizeof(uint);

    /// <summary>Instead of a length: the sequence ends here, and nothing is missing.</summary>
    public const uint EndMark = uint.MaxValue;
}
