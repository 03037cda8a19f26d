namespace BlitQueue.Bench;

/// <summary>The command line of the default verb.</summary>
internal sealed record BenchOptions
{
    public const string Usage =
        "[--quick] [--runs N] [--only TEXT] [--output bench/results/NAME.md], or: micro [BenchmarkDotNet's own arguments], or: generator, or: idle";

    /// <summary>Short measurements, for a look.</summary>
    public bool Quick { get; private init; }

    /// <summary>How often each row is measured.</summary>
    public int Rounds { get; private init; } = 5;

    /// <summary>Only rows whose "title: name" contains this.</summary>
    public string Only { get; private init; } = "";

    /// <summary>The Markdown file to write; null: the console alone.</summary>
    public string? Output { get; private init; }

    public TimeSpan Duration => TimeSpan.FromSeconds(Quick ? 0.1 : 1);

    public TimeSpan WarmUp { get; } = TimeSpan.FromSeconds(0.1);

    /// <exception cref="ArgumentException">The arguments are not as in <see cref="Usage"/>.</exception>
    public static BenchOptions Parse(IReadOnlyList<string> arguments)
    {
        var options = new BenchOptions();
        for (int i = 0; i < arguments.Count; i++)
        {
            options = arguments[i] switch
            {
                "--quick" => options with { Quick = true, Rounds = 3 },
                "--runs" => options with { Rounds = Number(Next()) },
                "--only" => options with { Only = Next() },
                "--output" => options with { Output = Next() },
                _ => throw Wrong(),
            };

            string Next() => ++i < arguments.Count ? arguments[i] : throw Wrong();
        }
        return options;
    }

    private static int Number(string text) => int.TryParse(text, out int number) && number > 0 ? number : throw Wrong();

    private static ArgumentException Wrong() => new($"Arguments: {Usage}");
}
