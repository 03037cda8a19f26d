namespace BlitQueue.Log;

/// <summary>The words of an <see cref="OpeningProgress"/>, read once.</summary>
/// <param name="Process">The process that holds the opening lock; 0 where it is not known.</param>
/// <param name="Steps">Grows while the holder makes progress.</param>
/// <param name="Done">Bytes of the log that the holder has read.</param>
/// <param name="Total">Bytes that it has to read in all; 0 where it does not read the log.</param>
internal readonly record struct OpeningLook(int Process, long Steps, long Done, long Total)
{
    /// <summary>Bytes in the file.</summary>
    public const int Size = 32;

    private const int ProcessOffset = 0, StepsOffset = 8, DoneOffset = 16, TotalOffset = 24;

    public static OpeningLook Of(ReadOnlySpan<byte> words) => new(
        (int)BinaryPrimitives.ReadInt64LittleEndian(words[ProcessOffset..]),
        BinaryPrimitives.ReadInt64LittleEndian(words[StepsOffset..]),
        BinaryPrimitives.ReadInt64LittleEndian(words[DoneOffset..]),
        BinaryPrimitives.ReadInt64LittleEndian(words[TotalOffset..]));

    public void Write(Span<byte> words)
    {
        BinaryPrimitives.WriteInt64LittleEndian(words[ProcessOffset..], Process);
        BinaryPrimitives.WriteInt64LittleEndian(words[StepsOffset..], Steps);
        BinaryPrimitives.WriteInt64LittleEndian(words[DoneOffset..], Done);
        BinaryPrimitives.WriteInt64LittleEndian(words[TotalOffset..], Total);
    }

    /// <summary>The process, for a message to people.</summary>
    public string Holder => Process == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" (process {Process})");

    /// <summary>How far the holder is, as a sentence of its own; empty where it does not read the log.</summary>
    public string Sentence => Total <= 0 ? "" : string.Create(CultureInfo.InvariantCulture,
        $" It has gone through {Done >> 20:N0} of {Total >> 20:N0} MiB of the log.");
}
