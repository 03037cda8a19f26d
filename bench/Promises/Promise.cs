using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Promises;

/// <summary>A bar, and the rows by which it is judged.</summary>
/// <param name="Work">What it is about.</param>
/// <param name="Title">The table.</param>
/// <param name="Ours">Its row of ours.</param>
/// <param name="Beside">The row that ours is put beside; null where there is none.</param>
/// <param name="Kind">What is promised.</param>
/// <param name="Limit">How much of it, in the figure's unit where it is no ratio.</param>
internal sealed record Promise(string Work, string Title, string Ours, string? Beside, PromiseKind Kind, double Limit)
{
    /// <summary>What is compared; the nanoseconds for each message, or for all of it, unless said otherwise.</summary>
    public Func<Sample, double?> Figure { get; init; } = static sample => sample.Ns ?? sample.Time;

    /// <summary>What the figure counts.</summary>
    public Unit Unit { get; init; } = Unit.Nanoseconds;

    /// <summary>Whether it has to hold in every round, so that the worst one counts in place of the median.</summary>
    public bool InEveryRound { get; init; }

    /// <summary>Where the machine itself, the row beside, has more than this, nothing is said of ours.</summary>
    public double CalmBelow { get; init; } = double.PositiveInfinity;

    public Judgement Judge(IReadOnlyList<Table> tables)
    {
        Row? ours = Find(tables, Ours), beside = Beside is null ? null : Find(tables, Beside);
        double? mine = InEveryRound ? ours?.Highest(Figure) : ours?.Median(Figure), its = beside?.Median(Figure);
        double? ratio = ours is null || beside is null ? null : ours.RatioTo(beside, Figure);
        double? reached = Kind switch
        {
            PromiseKind.TimesAsLong => ratio,
            PromiseKind.TimesAsMany => 1 / ratio,
            PromiseKind.PerSecond => 1e9 / mine,
            PromiseKind.AtMostMore => mine - its,
            _ => mine,
        };
        return new Judgement(this, mine, its, ratio, OutcomeOf(reached, its));
    }

    private Outcome OutcomeOf(double? reached, double? its)
    {
        bool atLeast = Kind is PromiseKind.TimesAsMany or PromiseKind.PerSecond or PromiseKind.AtLeast;
        return reached is not { } value ? Outcome.NotMeasured
            : atLeast ? value >= Limit ? Outcome.Met : Outcome.Missed
            : value <= Limit ? Outcome.Met
            : its >= CalmBelow ? Outcome.NotCalm
            : Outcome.Missed;
    }

    private Row? Find(IReadOnlyList<Table> tables, string name) =>
        tables.FirstOrDefault(table => table.Title == Title)?.Rows.FirstOrDefault(row => row.Name == name && row.Samples.Count > 0);
}

/// <summary>What is promised of a figure.</summary>
internal enum PromiseKind
{
    /// <summary>It takes at most so many times as long as the row beside it.</summary>
    TimesAsLong,

    /// <summary>It does at least so many times as many in the same time as the row beside it.</summary>
    TimesAsMany,

    /// <summary>It does at least so many in a second.</summary>
    PerSecond,

    /// <summary>It is at most so much.</summary>
    AtMost,

    /// <summary>It is at least so much.</summary>
    AtLeast,

    /// <summary>It is at most so much more than that of the row beside it.</summary>
    AtMostMore,
}

/// <summary>What a figure counts.</summary>
internal enum Unit
{
    Nanoseconds,
    Bytes,
    Count,

    /// <summary>A part of one, shown in per cent.</summary>
    Share,
}

/// <summary>How a promise fared in a run.</summary>
/// <param name="Promise">The promise.</param>
/// <param name="Ours">Our median, in its unit.</param>
/// <param name="Beside">The median of the row beside it.</param>
/// <param name="Ratio">How many times as much ours is: the median of the rounds' ratios.</param>
/// <param name="Outcome">Whether it is met.</param>
internal sealed record Judgement(Promise Promise, double? Ours, double? Beside, double? Ratio, Outcome Outcome);

/// <summary>Whether a promise is met.</summary>
internal enum Outcome
{
    Met,
    Missed,

    /// <summary>Missed, but the machine itself is worse than the promise asks of it.</summary>
    NotCalm,

    /// <summary>A row is not there.</summary>
    NotMeasured,
}
