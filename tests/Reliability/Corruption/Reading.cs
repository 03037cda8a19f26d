namespace BlitQueue.Reliability.Corruption;

/// <summary>What came out of a store, and what was thrown on the way.</summary>
internal sealed class Reading
{
    /// <summary>The keys that a cursor from the oldest message on saw.</summary>
    public List<long> Log { get; } = [];

    /// <summary>The keys that each subscription gave.</summary>
    public SortedDictionary<string, List<long>> Delivered { get; } = new(StringComparer.Ordinal);

    /// <summary>Whether what was appended at the end came out of a cursor that stood there.</summary>
    public bool AppendIsRead { get; set; }

    /// <summary>Typed exceptions, with the step at which they came.</summary>
    public List<(string Step, QueueException Exception)> Faults { get; } = [];

    /// <summary>Exceptions that no caller could expect.</summary>
    public List<string> Wrong { get; } = [];

    /// <summary>Runs one step of reading.</summary>
    /// <returns>Whether it ended without an exception.</returns>
    public bool Try(string step, Action action)
    {
        try
        {
            action();
            return true;
        }
        catch (QueueException exception)
        {
            Faults.Add((step, exception));
        }
        catch (Exception exception)
        {
            Wrong.Add($"{step}: {exception}");
        }
        return false;
    }
}
