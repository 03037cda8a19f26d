namespace BlitQueue.Bench.Measuring;

/// <summary>One row of the results.</summary>
internal abstract class Scenario(string name, Role role)
{
    public string Name { get; } = name;

    public Role Role { get; } = role;

    /// <summary>Whether the files lie on a disk, instead of in shared memory.</summary>
    public bool OnDisk { get; init; }

    /// <summary>Measures for so long.</summary>
    /// <param name="duration">About how long.</param>
    /// <param name="place">A fresh directory.</param>
    public abstract Sample Measure(TimeSpan duration, string place);
}
