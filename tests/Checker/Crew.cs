using System.Globalization;

namespace BlitQueue.Checker;

/// <summary>
/// Who worked in a directory and what became of them, as the one that started and killed them has noted it in a file
/// beside their logs. One line for each fact:
/// <code>
/// worker 3.log producer=3 operations=1,3 batch=3 group=audit inhand=1 leases=yes
/// killed 3.log 1200 1300
/// stopped 3.log 1000 1100
/// ended 3.log
/// group left unordered
/// group audit dropped 12
/// exact
/// </code>
/// A worker's <c>operations</c> are how many messages it enqueues in one step, <c>batch</c> says that all steps are of that size,
/// <c>inhand</c> how many it may have consumed, but not logged, when it dies,
/// <c>only</c> that what it enqueues comes to one subscription alone, <c>leases</c> that it takes messages without consuming them; a
/// <c>group</c> is a subscription.
/// </summary>
public sealed class Crew
{
    /// <summary>The file's name.</summary>
    public const string FileName = "crew.txt";

    private readonly Dictionary<string, CrewMember> _members = new(StringComparer.Ordinal);

    private readonly HashSet<(string Group, string Fact)> _facts = [];

    private readonly Dictionary<string, long> _dropped = new(StringComparer.Ordinal);

    public IReadOnlyCollection<CrewMember> Members => _members.Values;

    public IEnumerable<string> Groups
        => _members.Values.Select(static member => member.Group).OfType<string>().Distinct().Order(StringComparer.Ordinal);

    /// <summary>Nobody is killed, and all was emptied: each message has an end.</summary>
    public bool IsExact { get; private set; }

    public bool IsOrdered(string group) => !_facts.Contains((group, "unordered")) && !IsSought(group) && !IsRemade(group);

    public bool IsSought(string group) => _facts.Contains((group, "sought"));

    public bool IsRemade(string group) => _facts.Contains((group, "remade"));

    public long Dropped(string group) => _dropped.GetValueOrDefault(group);

    /// <summary>After how many milliseconds a lease of a group may be taken from the living; 0: never.</summary>
    public int TimeOutOf(string group) =>
        _members.Values.Where(member => member.Group == group && member.TimeOut > 0).Select(static member => member.TimeOut)
            .DefaultIfEmpty().Min();

    public static Crew Read(string directory)
    {
        var crew = new Crew();
        foreach (string line in File.ReadLines(Path.Combine(directory, FileName)))
        {
            string[] words = line.Split(' ');
            switch (words[0])
            {
                case "worker":
                    crew._members.Add(words[1], MemberOf(words[1], words.Skip(2)));
                    break;
                case "killed":
                    crew._members[words[1]].WasKilled = true;
                    crew.NoteHarm(words);
                    break;
                case "stopped":
                    crew.NoteHarm(words);
                    break;
                case "exact":
                    crew.IsExact = true;
                    break;
                case "ended":
                    crew._members[words[1]].HasEnded = true;
                    break;
                case "group" when words[2] == "dropped":
                    crew._dropped[words[1]] = long.Parse(words[3], CultureInfo.InvariantCulture);
                    break;
                case "group":
                    crew._facts.Add((words[1], words[2]));
                    break;
                default:
                    throw new FormatException($"{FileName} contains a line that says nothing: {line}");
            }
        }
        return crew;
    }

    private void NoteHarm(string[] words)
    {
        if (words.Length == 4 && Times.TryParse(words[2], words[3], out Times times))
        {
            _members[words[1]].Harms.Add(times);
        }
    }

    private static CrewMember MemberOf(string log, IEnumerable<string> words)
    {
        var facts = words.Select(static word => word.Split('=', 2)).ToDictionary(static parts => parts[0], static parts => parts[1]);
        return new CrewMember(log)
        {
            Producer = Number("producer", -1),
            Operations = facts.TryGetValue("operations", out string? sizes) ? [.. sizes.Split(',').Select(int.Parse)] : [],
            Batch = Number("batch", 0),
            Group = facts.GetValueOrDefault("group"),
            InHand = Number("inhand", 0),
            Only = facts.GetValueOrDefault("only"),
            TakesLeases = facts.ContainsKey("leases"),
            TimeOut = Number("timeout", 0),
            Process = Number("process", 0),
            Room = facts.GetValueOrDefault("room"),
        };

        int Number(string name, int otherwise) =>
            facts.TryGetValue(name, out string? text) ? int.Parse(text, CultureInfo.InvariantCulture) : otherwise;
    }
}
