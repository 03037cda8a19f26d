using System.Globalization;
using System.Text;
using BlitQueue.Bench.Promises;

namespace BlitQueue.Bench.Reporting;

/// <summary>A row for each promise.</summary>
internal static class PromiseTable
{
    public static void Append(StringBuilder text, IEnumerable<Judgement> judgements)
    {
        text.AppendLine().AppendLine("## What has to hold").AppendLine()
            .AppendLine("Each ratio is the median of the rounds' ratios, each of them taken within one round.").AppendLine()
            .AppendLine("| work | ours | beside it | ratio | bar | met |").AppendLine("|---|--:|--:|--:|--:|---|");
        foreach (Judgement judgement in judgements)
        {
            text.AppendLine(Line(judgement));
        }
    }

    private static string Line(Judgement judgement)
    {
        Promise promise = judgement.Promise;
        return $"| {promise.Work} | {Ours(judgement)} | {Beside(judgement)} | {Ratio(judgement)} | {Bar(promise)} | "
            + $"{Word(judgement.Outcome)} |";
    }

    private static string Ours(Judgement judgement) => judgement switch
    {
        { Ours: null } => "",
        { Promise.Kind: PromiseKind.PerSecond } => $"{Figures.PerSecond(1e9 / judgement.Ours.Value)} "
            + $"({Figures.Time(judgement.Ours.Value)})",
        _ => Figures.Of(judgement.Ours.Value, judgement.Promise.Unit),
    };

    private static string Beside(Judgement judgement) =>
        judgement.Beside is { } value ? $"{judgement.Promise.Beside}: {Figures.Of(value, judgement.Promise.Unit)}" : "";

    private static string Ratio(Judgement judgement) => judgement switch
    {
        { Ratio: null } or { Promise.Kind: PromiseKind.AtMost or PromiseKind.AtLeast or PromiseKind.AtMostMore } => "",
        { Promise.Kind: PromiseKind.TimesAsMany } => Number(1 / judgement.Ratio.Value),
        _ => Number(judgement.Ratio.Value),
    };

    private static string Bar(Promise promise) => promise.Kind switch
    {
        PromiseKind.TimesAsLong => $"<= {Exact(promise.Limit)} x",
        PromiseKind.TimesAsMany => $">= {Exact(promise.Limit)} x the rate",
        PromiseKind.PerSecond => $">= {Figures.PerSecond(promise.Limit)}",
        PromiseKind.AtLeast => $">= {Figures.Of(promise.Limit, promise.Unit)}",
        PromiseKind.AtMostMore => $"<= {Figures.Of(promise.Limit, promise.Unit)} more",
        _ when !double.IsPositiveInfinity(promise.CalmBelow) =>
            $"<= {Figures.Of(promise.Limit, promise.Unit)} where the machine's own is below {Figures.Of(promise.CalmBelow, promise.Unit)}",
        _ => $"<= {Figures.Of(promise.Limit, promise.Unit)}",
    };

    private static string Word(Outcome outcome) => outcome switch
    {
        Outcome.Met => "yes",
        Outcome.Missed => "**no**",
        Outcome.NotCalm => "the machine was not calm enough",
        _ => "not measured",
    };

    private static string Number(double value) => value.ToString(value >= 100 ? "0" : "0.00", CultureInfo.InvariantCulture);

    private static string Exact(double value) => value.ToString(CultureInfo.InvariantCulture);
}
