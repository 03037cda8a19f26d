namespace BlitQueue;

/// <summary>What comes next in a stream of frames.</summary>
internal enum FrameKind
{
    /// <summary>A message.</summary>
    Message,

    /// <summary>The end mark of a sequence.</summary>
    EndMark,

    /// <summary>Nothing: the stream ends where a frame could begin.</summary>
    EndOfStream,
}
