using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace BlitQueue.Bench.Messages;

/// <summary>What the measuring loops want of a message.</summary>
/// <remarks>
/// The members are static because the JIT inlines those through generic code where a loop is compiled for
/// one message; instance members it calls.
/// </remarks>
internal interface IBenchMessage<T> : IPackable<T> where T : class
{
    /// <summary>Makes a message of so many bytes, characters or lines, which hold what <see cref="Check"/> expects.</summary>
    /// <param name="size">How many.</param>
    /// <param name="variant">Messages with texts have others for another variant, as long.</param>
    static abstract T Create(int size, int variant = 0);

    /// <summary>Gives a message its number.</summary>
    static abstract void Stamp(T message, long number);

    /// <summary>A message's number.</summary>
    /// <exception cref="InvalidDataException">The message is not whole.</exception>
    static abstract long Check(T message);
}

/// <summary>
/// The content of every message, whatever carries it: its number in the first word, the number's complement in the last one, bytes of a
/// fixed seed between. A message that was mixed up or left over from before does not hold its number; one that was torn is found
/// out sooner or later.
/// </summary>
internal static class Pattern
{
    private const int Repeated = 1024;

    // Of longer messages one line is looked at, another one with each message: to read all would take as long as to copy.
    private const int Line = 64;

    private static readonly byte[] Filling = MakeFilling();

    /// <summary>Fills a message for the first time; <see cref="Stamp"/> changes its number afterwards.</summary>
    public static void Fill(Span<byte> message)
    {
        for (int start = 0; start < message.Length; start += Repeated)
        {
            Span<byte> part = message[start..Math.Min(start + Repeated, message.Length)];
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
            if (last != ~number || !(message.Length > Line ? HasLine(message, number) : IsFilling(message[sizeof(long)..^sizeof(long)])))
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

    // Not the first one nor the last one, where the number is.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool HasLine(ReadOnlySpan<byte> message, long number)
    {
        const uint mixer = 2654435761;
        uint lines = Math.Max(1, (uint)(message.Length / Line) - 2);
        int start = (int)(1 + (((ulong)((uint)number * mixer) * lines) >> 32)) * Line;
        int length = Math.Min(Line, message.Length - sizeof(long) - start);
        return length <= 0 || message.Slice(start, length).SequenceEqual(Filling.AsSpan(start % Repeated, length));
    }

    // Word by word: what was just written in words cannot be forwarded to wider loads, which would be measured.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static bool IsFilling(ReadOnlySpan<byte> between)
    {
        ReadOnlySpan<byte> filling = Filling.AsSpan(sizeof(long), between.Length);
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
        byte[] bytes = new byte[Repeated];
        new Random(20240229).NextBytes(bytes);
        return bytes;
    }
}
