using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BlitQueue.Bench.Measuring;

/// <summary>The numbers that messages carry: 0, 1, 2 ..., then <see cref="End"/>.</summary>
internal static class Numbers
{
    public const long End = -1;

    /// <exception cref="InvalidDataException">A message was lost, repeated or out of order.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Expect(long got, long expected)
    {
        if (got != expected)
        {
            ThrowWrong(got, expected);
        }
    }

    [DoesNotReturn]
    private static void ThrowWrong(long got, long expected) =>
        throw new InvalidDataException($"Message {got} came where {expected} was due.");
}
