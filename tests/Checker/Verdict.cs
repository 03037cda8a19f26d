namespace BlitQueue.Checker;

/// <summary>What the logs of a directory say: how much was done, and what no queue that keeps its promises would have done.</summary>
/// <param name="Acknowledged">Messages acknowledged to their producers.</param>
/// <param name="Deliveries">Messages seen at consumers of all groups, repeated deliveries included.</param>
/// <param name="Violations">Empty when all is well.</param>
public sealed record Verdict(long Acknowledged, long Deliveries, IReadOnlyList<string> Violations)
{
    /// <summary>How often what was explained by what: for example exceptions by the code of messages that threw them.</summary>
    public IReadOnlyDictionary<string, long> Counts { get; init; } = new Dictionary<string, long>();

    /// <summary>Judges by nothing but what stands in the directory.</summary>
    public static Verdict Of(string directory)
    {
        var crew = Crew.Read(directory);
        List<string> violations =
        [
            .. crew.Members.Where(static member => !member.WasKilled && !member.HasEnded)
                .Select(static member => $"{member.Log}: nobody killed the worker, and it has not come to its end"),
        ];
        Happening[] happenings = [.. crew.Members.SelectMany(member => Happening.Of(Path.Combine(directory, member.Log)))];
        var histories = crew.Groups.ToDictionary(static group => group, group => HistoryOf(directory, crew, group, happenings));
        foreach ((string group, History history) in histories)
        {
            violations.AddRange(history.Faults().Select(fault => $"{group}: {fault}"));
        }
        violations.AddRange(Differences(crew, histories));
        violations.AddRange(crew.Members.SelectMany(member => Views.Faults(Path.Combine(directory, member.Log))));
        var explanations = new Explanations(crew, happenings);
        violations.AddRange(explanations.Faults());
        return new Verdict(
            histories.Values.Select(static history => history.Acknowledged).DefaultIfEmpty().Max(),
            histories.Values.Sum(static history => history.Deliveries),
            violations)
        {
            Counts = explanations.Counts,
        };
    }

    private static History HistoryOf(string directory, Crew crew, string group, Happening[] happenings)
    {
        History history = Expected(crew, group, happenings);
        foreach (CrewMember member in crew.Members.Where(member => member.Only is null || member.Only == group))
        {
            history.ReadLog(Path.Combine(directory, member.Log), deliveries: member.Group == group);
            if (member.Batch > 0)
            {
                history.Batches(member.Producer, member.Batch);
            }
            if (member.WasKilled && member.Producer >= 0)
            {
                history.KilledProducer(member.Producer, member.Operations);
            }
            if (member.WasKilled && member.Group == group)
            {
                history.KilledConsumer(member.Log);
                history.MayLack += member.InHand;
                history.MayRepeatUntold |= member.TakesLeases;
            }
        }
        return history;
    }

    // What the run's own actions allow.
    private static History Expected(Crew crew, string group, Happening[] happenings)
    {
        bool sought = crew.IsSought(group), remade = crew.IsRemade(group);
        return new History
        {
            IsOrdered = crew.IsOrdered(group),
            IsExact = crew.IsExact && !remade,
            MayRepeatUntold = crew.IsExact,
            TimeOut = Times.OfMilliseconds(crew.TimeOutOf(group)),
            Dropped = crew.Dropped(group),
            // A subscription that is made again may be so by the drain, which logs no such thing.
            MostTimes = 1 + happenings.Count(
                one => (sought && one.Kind == 'S' && one.Words[0] == group) || (remade && one.Kind == 'M' && one.Words[0] == group)),
            MayLack = remade ? int.MaxValue / 2 : 0,
            MayBeGoneBefore = happenings.Where(
                one => one.Kind == 'P' || (one.Kind == 'S' && one.Words[0] == group && one.Words[1] != "back"))
                .Select(static one => one.Times.Ended).DefaultIfEmpty().Max(),
        };
    }

    // Every group sees every message: also one whose producer was killed before it was told.
    private static IEnumerable<string> Differences(Crew crew, Dictionary<string, History> histories)
    {
        // Each group is asked for every message by itself then.
        if (crew.IsExact)
        {
            yield break;
        }
        HashSet<int> apart = [.. crew.Members.Where(static member => member.Only is not null).Select(static member => member.Producer)];
        HashSet<(int, long)> all = [.. histories.Values.SelectMany(static history => history.Delivered)
            .Where(message => !apart.Contains(message.Producer))];
        foreach ((string group, History history) in histories)
        {
            (int Producer, long Number)[] missing = [.. all.Where(message => !history.IsDelivered(message))];
            if (missing.Length > history.MayLack)
            {
                yield return $"{group} never saw {missing.Length} messages that others saw: "
                    + $"{string.Join(' ', missing.Take(10).Select(static message => $"{message.Producer}/{message.Number}"))}";
            }
        }
    }
}
