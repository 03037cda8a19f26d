namespace BlitQueue.Explorer;

/// <summary>A place in a step's code, reached by having seen certain values: what comes next there.</summary>
/// <param name="Access">What the process does next.</param>
/// <param name="Parent">The node before; -1 at the beginning.</param>
/// <param name="Value">What the node before saw.</param>
/// <param name="Depth">How many nodes are before this one.</param>
internal sealed record StepNode(Access Access, int Parent, long Value, int Depth)
{
    // Most nodes have one way on.
    private Dictionary<long, int>? _others;
    private long _value;
    private int _next = -1;

    /// <summary>What comes next where nothing was seen, or where a value was; -1 where that was never tried.</summary>
    public int Next(long value) =>
        _next >= 0 && _value == value ? _next : _others is not null && _others.TryGetValue(value, out int next) ? next : -1;

    /// <summary>Adds a way on.</summary>
    public void Add(long value, int next)
    {
        if (_next < 0)
        {
            (_value, _next) = (value, next);
        }
        else
        {
            (_others ??= []).Add(value, next);
        }
    }

    /// <summary>
    /// Whether the access before may have changed something for others, or there was none: to be killed here is to be killed anywhere from
    /// here to the next such access, since what a dead process has read makes no difference.
    /// </summary>
    public bool IsAfterChange { get; set; }

    /// <summary>What was seen since the last pause, for a pause.</summary>
    public Access[] Seen { get; set; } = [];

    /// <summary>Whether the process saw the same between the two last pauses, and would again unless something changes.</summary>
    public bool WaitsForChange { get; set; }
}
