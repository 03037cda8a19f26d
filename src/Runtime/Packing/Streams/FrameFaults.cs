namespace BlitQueue;

/// <summary>The exceptions for wrong frames. Offsets count from where the call began to read.</summary>
internal static class FrameFaults
{
    public static PackException TooLongToWrite(int bytes, int limit)
        => new(
            $"The message has {bytes:N0} bytes, and {limit:N0} are allowed in a stream: raise {nameof(PackStreamOptions)}."
            + $"{nameof(PackStreamOptions.MaxMessageSize)} here and where it is read, or send it in parts");

    public static PackException TooLong(long offset, uint bytes, int limit)
        => new(
            $"A message of {bytes:N0} bytes is announced, and {limit:N0} are allowed. If its writer is to be trusted, raise "
            + $"{nameof(PackStreamOptions)}.{nameof(PackStreamOptions.MaxMessageSize)}; else these bytes are no messages "
            + "behind their lengths", offset);

    public static PackException CutOff(long offset, long there, long needed)
        => new(
            $"The stream ends {there:N0} bytes into a message of {needed:N0}: its writer has not finished it. Have it sent again", offset);

    public static PackException CutOffLength(long offset, int there)
        => new(
            $"The stream ends {there} bytes into the {FrameFormat.HeaderSize} that say how long a message is: its writer has not "
            + "finished it. Have it sent again", offset);

    public static PackException NoEndMark(long offset, long messages)
        => new(
            $"The stream ends after {messages:N0} messages and without the mark that ends a sequence, so others may be missing: its "
            + $"writer has not finished it. For messages that are written one by one, set {nameof(PackStreamOptions)}."
            + nameof(PackStreamOptions.MayEndWithoutMark),
            offset);

    public static PackException NoMessage(long offset, FrameKind found)
        => new(
            found == FrameKind.EndMark
                ? "Here a sequence ends, and one message was asked for: read sequences with ReadAllAsync"
                : "The stream ends where a message was to begin: nothing was written, or all has been read",
            offset);
}
