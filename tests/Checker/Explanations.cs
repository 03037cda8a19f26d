using System.Globalization;
using System.Text.RegularExpressions;

namespace BlitQueue.Checker;

/// <summary>Whether every exception that a call threw is one that the run's own actions explain; anything else is a violation.</summary>
internal sealed partial class Explanations(Crew crew, IReadOnlyList<Happening> happenings)
{
    // What consumes, of a subscription that others delete.
    private static readonly string[] Visiting = ["visit", "subscribe", "delete", "lost", "unread"];

    private readonly Dictionary<string, CrewMember> _members = crew.Members.ToDictionary(static member => member.Log);

    /// <summary>How often each explanation was needed.</summary>
    public SortedDictionary<string, long> Counts { get; } = new(StringComparer.Ordinal);

    public IEnumerable<string> Faults()
    {
        var unexplained = new Dictionary<string, (int Count, string First)>(StringComparer.Ordinal);
        foreach (Happening happening in happenings.Where(static one => one.Kind is 'X' or 'F'))
        {
            if (Explain(happening) is { } explanation)
            {
                Counts[explanation] = Counts.GetValueOrDefault(explanation) + 1;
                continue;
            }
            string text = string.Join(' ', happening.Words), kind = Numbers().Replace(text, "#");
            unexplained[kind] = unexplained.TryGetValue(kind, out (int Count, string First) known)
                ? (known.Count + 1, known.First)
                : (1, $"{happening.Log}: {(happening.Kind == 'F' ? "TryEnqueue said false" : text)}");
        }
        return
        [
            .. happenings.Where(static one => one.Kind == default)
            .Select(static one => $"{one.Log} contains a line that is none: {one.Words[0]}"),
            .. unexplained.Values.OrderByDescending(static one => one.Count)
                .Select(
                    static one => string.Create(CultureInfo.InvariantCulture, $"{one.Count} times nothing explains, first in {one.First}")),
        ];
    }

    private string? Explain(Happening one)
    {
        string? room = _members[one.Log].Room;
        if (one.Kind == 'F')
        {
            return room is null ? null : "full queues told by TryEnqueue";
        }
        (string operation, string group, string type, string text) = (one.Words[0], one.Words[1], one.Words[2],
            string.Join(' ', one.Words[3..]));
        return type switch
        {
            "PrickException" => "exceptions of the messages' own code",
            "OperationCanceledException" or "TaskCanceledException" => "waits that were cancelled",
            "QueueFullException" when operation == "produce" && room == "Fail" => "full queues told by an exception",
            "QueueStalledException" => ExplainStall(one, text),
            "QueueException" when operation == "look" => "cursors that were overtaken",
            "QueueException" when operation == "seek" && text.Contains("no longer on disk", StringComparison.Ordinal)
                => "seeks to what is gone",
            _ when crew.IsRemade(group) && Visiting.Contains(operation) && WasDeleted(group, one) => "calls on a deleted subscription",
            "LeaseLostException" when crew.TimeOutOf(group) is > 0 and var timeout
                => IsLate(one, operation, timeout) ? "leases lost to a time-out" : null,
            _ => null,
        };
    }

    // Of a lease that was read the history itself looks at the times.
    private static bool IsLate(Happening one, string operation, int timeout) =>
        operation == "lost" || one.Times.Ended - one.Times.Began >= Times.OfMilliseconds(timeout - 10);

    private bool WasDeleted(string group, Happening one) =>
        happenings.Any(deletion => deletion.Kind == 'G' && deletion.Words[0] == group && deletion.Times.Began <= one.Times.Ended);

    // The process that is named was stopped, or killed and not gone yet; or the machine gave it, or who says so, no time to run.
    private string? ExplainStall(Happening one, string text)
    {
        if (!int.TryParse(NamedProcess().Match(text).Groups[1].ValueSpan, CultureInfo.InvariantCulture, out int process))
        {
            return null;
        }
        CrewMember[] named = [.. crew.Members.Where(member => member.Process == process)];
        if (named.Any(member => member.Harms.Any(one.Times.Overlaps)))
        {
            return "appends told of a stopped process";
        }
        return happenings.Any(
            late => late.Kind == 'H' && late.Times.Overlaps(one.Times)
                && (named.Any(member => member.Log == late.Log) || _members[late.Log].Process == _members[one.Log].Process))
            ? "appends told of a process that got no processor"
            : null;
    }

    [GeneratedRegex("[0-9]+")]
    private static partial Regex Numbers();

    [GeneratedRegex("process ([0-9]+)")]
    private static partial Regex NamedProcess();
}
