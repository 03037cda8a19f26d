using BlitQueue.Bench.Measuring;

namespace BlitQueue.Bench.Charts;

/// <summary>What a row's role looks like.</summary>
internal static class Colours
{
    private const string Ours = "#0969da", Others = "#9a6700", Limit = "#57606a";
    private static readonly string[] Lines = [Ours, "#8250df", "#1a7f37", "#bc4c00", "#9a6700", Limit, "#cf222e"];

    public static string Of(Role role) => role switch { Role.Queue => Ours, Role.Floor => Limit, _ => Others };

    /// <summary>Of the rows of one table, each its own.</summary>
    public static string OfLine(int index) => Lines[index % Lines.Length];
}
