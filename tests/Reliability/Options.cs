using System.Globalization;

namespace BlitQueue.Reliability;

/// <summary>What the command line asks for.</summary>
internal sealed record Options(
    bool IsLong, int Seed, TimeSpan Budget, bool Record, IReadOnlyList<string> Names, long? Part = null, bool WherePossible = false)
{
    public const string Usage = """
        dotnet run -c Release --project tests/Reliability -- short                    every campaign, as for each change (minutes)
        dotnet run -c Release --project tests/Reliability -- long                     as for a release (hours)
        ... long kills power        these alone          --seed 17      what is tried; without it a new one each time
        ... --minutes 60            for each campaign    --record       writes docs/reliability/<campaign>.md
        ... --part 5                of a campaign that names the parts of its violations so
        ... --where-possible        what cannot be run on this machine, or by this user, is skipped, not failed
        """;

    public static Options? Parse(string[] arguments)
    {
        if (arguments is not ["short" or "long", ..])
        {
            return null;
        }
        var options = new Options(arguments[0] == "long", Random.Shared.Next(1, 1_000_000), TimeSpan.FromHours(24), Record: false, []);
        for (int i = 1; i < arguments.Length; i++)
        {
            options = arguments[i] switch
            {
                "--seed" => options with { Seed = int.Parse(arguments[++i], CultureInfo.InvariantCulture) },
                "--minutes" => options with { Budget = TimeSpan.FromMinutes(double.Parse(arguments[++i], CultureInfo.InvariantCulture)) },
                "--part" => options with { Part = long.Parse(arguments[++i], CultureInfo.InvariantCulture) },
                "--where-possible" => options with { WherePossible = true },
                "--record" => options with { Record = true },
                var name => options with { Names = [.. options.Names, name] },
            };
        }
        return options;
    }
}
