using System.Buffers.Binary;
using System.Globalization;

namespace BlitQueue.Log;

/// <summary>What a look at the words of an <see cref="OpeningProgress"/> has found.</summary>
/// <param name="Process">Who has the opening lock; 0 where nothing says so.</param>
/// <param name="Steps">Counts up while anybody gets on.</param>
/// <param name="Done">Bytes of the log that it has gone through.</param>
/// <param name="Total">Of so many; 0 where it does not go through the log.</param>
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

    /// <summary>The process as people find it.</summary>
    public string Holder => Process == 0 ? "" : string.Create(CultureInfo.InvariantCulture, $" (process {Process})");

    /// <summary>How far it is, as a sentence of its own; empty where it does not go through the log.</summary>
    public string Sentence => Total <= 0 ? "" : string.Create(CultureInfo.InvariantCulture,
        $" It has gone through {Done >> 20:N0} of {Total >> 20:N0} MiB of the log.");
}
