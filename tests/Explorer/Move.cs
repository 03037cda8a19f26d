using System.Globalization;

namespace BlitQueue.Explorer;

/// <summary>One thing that the scheduler does.</summary>
/// <param name="Kind">What.</param>
/// <param name="Actor">To which process.</param>
/// <param name="Outcome">
/// Which of the ways in which the access may come out: so many values older than the latest is what it sees; of a look at the clock 1,
/// where time has passed before it.
/// </param>
internal readonly record struct Move(MoveKind Kind, int Actor, int Outcome = 0)
{
    private const string Letters = "sdkpct";

    /// <summary>For example <c>s1</c>, <c>k0</c>, <c>s2.1</c>.</summary>
    public override string ToString() => Outcome == 0 ? $"{Letters[(int)Kind]}{Actor}" : $"{Letters[(int)Kind]}{Actor}.{Outcome}";

    public static Move Parse(string text)
    {
        string[] parts = text[1..].Split('.');
        return new Move(
            (MoveKind)Letters.IndexOf(text[0], StringComparison.Ordinal), int.Parse(parts[0], CultureInfo.InvariantCulture),
            parts.Length > 1 ? int.Parse(parts[1], CultureInfo.InvariantCulture) : 0);
    }
}
