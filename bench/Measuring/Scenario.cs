using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;

namespace BlitQueue.Bench.Measuring;

/// <summary>One row of the results.</summary>
internal abstract class Scenario(string name, Role role) : IDisposable
{
    public string Name { get; } = name;

    public Role Role { get; } = role;

    /// <summary>Whether the files lie on a disk, instead of in shared memory.</summary>
    public bool OnDisk { get; init; }

    /// <summary>Measures for so long.</summary>
    /// <param name="duration">About how long. Scenarios of a number of messages take that part of it which this is of a second.</param>
    /// <param name="root">A fresh directory.</param>
    public abstract Sample Measure(TimeSpan duration, string root);

    /// <summary>After the last measurement.</summary>
    public virtual void Dispose()
    {
    }

    /// <summary>That part of a number which the duration is of a second; at least 64.</summary>
    protected static long Part(long whole, TimeSpan duration) => Math.Max(64, (long)(whole * Math.Min(1, duration.TotalSeconds)));
}

/// <summary>Rows that do the same work and stand in one table.</summary>
internal sealed record ScenarioGroup(string Title, IReadOnlyList<Scenario> Scenarios)
{
    /// <summary>In how many rounds the rows are measured at most: fewer, where one takes long.</summary>
    public int Rounds { get; init; } = int.MaxValue;

    /// <summary>Whether its rows are measured without a warm-up: they are of processes that have just started.</summary>
    public bool IsCold { get; init; }

    /// <summary>
    /// Whether its rows are measured after all others and by themselves, because of the gigabytes that they keep meanwhile.
    /// </summary>
    public bool IsApart { get; init; }

    /// <summary>Bytes of a message, where bytes a second are worth a column.</summary>
    public long? MessageBytes { get; init; }
}

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
