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
    /// <param name="place">A fresh directory.</param>
    public abstract Sample Measure(TimeSpan duration, string place);

    /// <summary>After the last measurement.</summary>
    public virtual void Dispose()
    {
    }

    /// <summary>That part of a number which the duration is of a second; at least 64.</summary>
    protected static long Part(long whole, TimeSpan duration) => Math.Max(64, (long)(whole * Math.Min(1, duration.TotalSeconds)));
}
