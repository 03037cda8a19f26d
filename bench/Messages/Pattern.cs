using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Messages;

/// <summary>
/// The content of every message, whatever carries it: its number in the first word, the number's complement in the last one, bytes of a
/// fixed seed between. A message that was torn, mixed up or left over from before does not hold its number.
/// </summary>
internal static class Pattern
{
    // Of longer messages only so many bytes at the start are looked at, and the last word: to read all would take as long as to copy.
    private const int LookedAt = 1024;

    private static readonly byte[] Filling = MakeFilling();

    /// <summary>Fills a message for the first time; <see cref="Stamp"/> changes its number afterwards.</summary>
    public static void Fill(Span<byte> message)
    {
        for (int start = 0; start < message.Length; start += LookedAt)
        {
            Span<byte> part = message[start..Math.Min(start + LookedAt, message.Length)];
            Filling.AsSpan(0, part.Length).CopyTo(part);
        }
        Stamp(message, 0);
    }

    /// <summary>Gives the message its number.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Stamp(Span<byte> message, long number)
    {
        MemoryMarshal.Write(message, in number);
        if (message.Length > sizeof(long))
        {
            MemoryMarshal.Write(message[^sizeof(long)..], ~number);
        }
    }

    /// <summary>The message's number.</summary>
    /// <exception cref="InvalidDataException">The message is not whole.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static long Check(ReadOnlySpan<byte> message)
    {
        long number = MemoryMarshal.Read<long>(message);
        if (message.Length > sizeof(long))
        {
            long last = MemoryMarshal.Read<long>(message[^sizeof(long)..]);
            if (last != ~number || !IsFilling(message[sizeof(long)..Math.Min(message.Length - sizeof(long), LookedAt)]))
            {
                ThrowDamaged(number);
            }
        }
        return number;
    }

    public static void ThrowDamaged(long number) =>
        throw new InvalidDataException($"The message that says it is number {number} is not whole.");

    /// <summary>A word of the filling, for messages that are made of members.</summary>
    public static long Word(int index) => MemoryMarshal.Cast<byte, long>(Filling)[index];

    // Short messages word by word: what was just written in words cannot be forwarded to wider loads, which would be measured.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsFilling(ReadOnlySpan<byte> between)
    {
        ReadOnlySpan<byte> filling = Filling.AsSpan(sizeof(long), between.Length);
        if (between.Length > 64)
        {
            return between.SequenceEqual(filling);
        }
        long different = 0;
        ReadOnlySpan<long> words = MemoryMarshal.Cast<byte, long>(between), expected = MemoryMarshal.Cast<byte, long>(filling);
        for (int i = 0; i < words.Length; i++)
        {
            different |= words[i] ^ expected[i];
        }
        return different == 0;
    }

    private static byte[] MakeFilling()
    {
        var bytes = new byte[LookedAt];
        new Random(20240229).NextBytes(bytes);
        return bytes;
    }
}
