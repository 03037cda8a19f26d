namespace BlitQueue;

/// <summary>
/// Whether two versions of a message may share a queue: a program that knows either version reads what the other wrote. Merges them into a
/// version with the members of both.
/// </summary>
/// <remarks>
/// In sequential and circular messages, members of fixed size and variable members may each be appended behind those of the same sort. In
/// tolerant messages a number means one member for ever, which may be missing in either version. Unions may get new cases; a program cannot
/// read a case that it does not know. The same applies to nested messages. Every other difference makes another message.
/// </remarks>
internal sealed class SchemaEvolution
{
    private readonly SchemaText _ours;
    private readonly SchemaText _theirs;
    private readonly SchemaText _merged = new();
    private readonly List<string> _obstacles = [];

    // The number of the merged type for a type of each side (-1: the side has none). Entries are added when the types are met, and merged
    // one after another.
    private readonly Dictionary<(int Our, int Their), int> _numbers = [];
    private readonly Queue<(int Our, int Their, string Path)> _open = [];

    // For each of our types, the first type of the other side with which it is paired.
    private readonly Dictionary<int, int> _theirOf = [];
    private readonly Dictionary<int, int> _ourOf = [];

    private SchemaEvolution(SchemaText ours, SchemaText theirs)
    {
        _ours = ours;
        _theirs = theirs;
        PairTypes();
        NumberOf(0, 0, "");
        while (_open.TryDequeue(out (int Our, int Their, string Path) pair))
        {
            _merged.Types[_numbers[(pair.Our, pair.Their)]].Members.AddRange(Merge(pair.Our, pair.Their, pair.Path));
        }
    }

    /// <summary>Compares this program's canonical text with a queue's, which may be damaged, and merges the two.</summary>
    /// <returns>The obstacles, one line each; none if both may share a queue.</returns>
    public static IReadOnlyList<string> Obstacles(string ours, string theirs, out string merged)
    {
        merged = theirs;
        if (ours == theirs)
        {
            return [];
        }

        if (SchemaText.Parse(theirs) is not { } parsed)
        {
            return ["the other schema cannot be read"];
        }

        var evolution = new SchemaEvolution(SchemaText.Parse(ours)!, parsed);
        merged = evolution._merged.ToString();
        return evolution._obstacles;
    }

    private void PairTypes()
    {
        HashSet<(int Our, int Their)> seen = [(0, 0)];
        Queue<(int Our, int Their)> next = new(seen);
        while (next.TryDequeue(out (int Our, int Their) pair))
        {
            _theirOf.TryAdd(pair.Our, pair.Their);
            _ourOf.TryAdd(pair.Their, pair.Our);
            foreach (SchemaText.Member our in _ours.Types[pair.Our].Members)
            {
                if (_theirs.Types[pair.Their].Members.Find(member => member.Name == our.Name) is not { } their
                    || SchemaText.Shape(our.Kind) != SchemaText.Shape(their.Kind))
                {
                    continue;
                }

                foreach ((int First, int Second) nested in SchemaText.References(our.Kind)
                    .Zip(SchemaText.References(their.Kind)).Where(seen.Add))
                {
                    next.Enqueue(nested);
                }
            }
        }
    }

    private int NumberOf(int our, int their, string path)
    {
        our = our < 0 && _ourOf.TryGetValue(their, out int known) ? known : our;
        their = their < 0 && _theirOf.TryGetValue(our, out known) ? known : their;
        if (_numbers.TryGetValue((our, their), out int number))
        {
            return number;
        }

        string form = our >= 0 ? _ours.Types[our].Form : _theirs.Types[their].Form;
        if (our >= 0 && their >= 0 && _theirs.Types[their].Form != form)
        {
            _obstacles.Add($"{(path.Length == 0 ? "the message" : path.TrimEnd('.'))} is packed in another way");
        }

        _merged.Types.Add(new SchemaText.MessageType(form, []));
        _open.Enqueue((our, their, path));
        return _numbers[(our, their)] = _merged.Types.Count - 1;
    }

    private IEnumerable<SchemaText.Member> Merge(int our, int their, string path)
    {
        if (our < 0 || their < 0 || _ours.Types[our].Form != _theirs.Types[their].Form)
        {
            return (our < 0 ? _theirs.Types[their] : _ours.Types[our]).Members.ConvertAll(member => OneSided(member, isOurs: our >= 0));
        }

        (string? form, List<SchemaText.Member>? ours) = _ours.Types[our];
        List<SchemaText.Member> theirs = _theirs.Types[their].Members;
        return form switch
        {
            "tolerant" => MergeNumbered(ours, theirs, path)
                .OrderBy(member => int.Parse(member.Number, System.Globalization.CultureInfo.InvariantCulture)),
            "union" => MergeCases(ours, theirs, path),
            _ => MergeAppended(ours, theirs, path),
        };
    }

    // In the order of the side that has more members; if each has members that the other has not, those of fixed size come first.
    private List<SchemaText.Member> MergeAppended(List<SchemaText.Member> ours, List<SchemaText.Member> theirs, string path)
    {
        foreach (SchemaText.Member our in ours)
        {
            if (theirs.Find(member => member.Name == our.Name) is { } their && their.IsFixed != our.IsFixed)
            {
                _obstacles.Add($"{path}{our.Name} is {SchemaText.Shape(our.Kind)} here, {SchemaText.Shape(their.Kind)} there");
            }
        }

        List<SchemaText.Member> @fixed = MergeRun(ours.FindAll(member => member.IsFixed), theirs.FindAll(member => member.IsFixed), path);
        List<SchemaText.Member> variable = MergeRun(
            ours.FindAll(member => !member.IsFixed), theirs.FindAll(member => !member.IsFixed), path);
        List<SchemaText.Member> all = [.. @fixed, .. variable];
        List<SchemaText.Member>? longer = ours.Count == all.Count ? ours : theirs.Count == all.Count ? theirs : null;
        return longer is null ? all : [.. all.OrderBy(member => longer.FindIndex(other => other.Name == member.Name))];
    }

    private List<SchemaText.Member> MergeRun(List<SchemaText.Member> ours, List<SchemaText.Member> theirs, string path)
    {
        List<SchemaText.Member> merged = [];
        for (int i = 0; i < Math.Max(ours.Count, theirs.Count); i++)
        {
            if (i >= ours.Count || i >= theirs.Count)
            {
                merged.Add(OneSided(i < ours.Count ? ours[i] : theirs[i], isOurs: i < ours.Count));
                continue;
            }

            if (ours[i].Name != theirs[i].Name)
            {
                _obstacles.Add($"{path}{ours[i].Name} stands where {path}{theirs[i].Name} stands there: members can only be appended");
            }

            merged.Add(BothSided(ours[i], theirs[i], path));
        }

        return merged;
    }

    private IEnumerable<SchemaText.Member> MergeNumbered(List<SchemaText.Member> ours, List<SchemaText.Member> theirs, string path)
    {
        foreach (SchemaText.Member our in ours)
        {
            SchemaText.Member? their = theirs.Find(member => member.Number == our.Number);
            if (their is not null && their.BareName != our.BareName)
            {
                _obstacles.Add(
                    $"{path}{our.BareName} has the number {our.Number} that {path}{their.BareName} has there: a number is one member for "
                        + "ever");
            }

            if (theirs.Find(member => member.BareName == our.BareName && member.Number != our.Number) is { } moved)
            {
                _obstacles.Add($"{path}{our.BareName} has the number {our.Number} here, {moved.Number} there");
            }

            yield return their is null ? OneSided(our, isOurs: true) : BothSided(our, their, path);
        }

        foreach (SchemaText.Member? their in theirs.Where(member => !ours.Exists(our => our.Number == member.Number)))
        {
            yield return OneSided(their, isOurs: false);
        }
    }

    private IEnumerable<SchemaText.Member> MergeCases(List<SchemaText.Member> ours, List<SchemaText.Member> theirs, string path)
    {
        foreach (SchemaText.Member? missing in theirs.Where(member => !ours.Exists(our => our.Name == member.Name)))
        {
            _obstacles.Add($"{path}{missing.Name} is a case there that cannot be read here");
        }

        return ours.Select(our => theirs.Find(member => member.Name == our.Name) is { } their
            ? BothSided(our, their, path)
            : OneSided(our, isOurs: true));
    }

    private SchemaText.Member OneSided(SchemaText.Member member, bool isOurs)
        => member with
        {
            Kind = SchemaText.Renumbered(member.Kind, number => isOurs ? NumberOf(number, -1, "") : NumberOf(-1, number, "")),
        };

    private SchemaText.Member BothSided(SchemaText.Member our, SchemaText.Member their, string path)
    {
        if (SchemaText.Shape(our.Kind) != SchemaText.Shape(their.Kind))
        {
            _obstacles.Add($"{path}{our.BareName} is {SchemaText.Shape(our.Kind)} here, {SchemaText.Shape(their.Kind)} there");
            return OneSided(our, isOurs: true);
        }

        var theirNumbers = new Queue<int>(SchemaText.References(their.Kind));
        return our with
        {
            Kind = SchemaText.Renumbered(our.Kind, number => NumberOf(number, theirNumbers.Dequeue(), $"{path}{our.BareName}.")),
        };
    }
}
