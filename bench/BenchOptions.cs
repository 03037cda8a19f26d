using System.Globalization;

namespace BlitQueue.Bench;

/// <summary>The command line of the verbs that compare.</summary>
internal sealed record BenchOptions
{
    public const string Usage =
        "[all] [--quick] [--runs N] [--only TEXT] [--depth BYTES] [--output bench/results/NAME.md], or: micro [BenchmarkDotNet's own "
        + "arguments], or: durability | calls | latency | operations | scale [the same arguments], or: generator | idle | rabbitmq "
        + "| serializer | tool | transactions";

    private const long QuickDepth = 500_000_000;
    private long? _depth;
    private long _fullDepth;

    /// <summary>Short measurements, for a look.</summary>
    public bool Quick { get; private init; }

    /// <summary>How often each row is measured.</summary>
    public int Rounds { get; private init; } = 5;

    /// <summary>Only rows whose "title: name" contains this.</summary>
    public string Only { get; init; } = "";

    /// <summary>Bytes of the messages in the deep queue.</summary>
    public long Depth => _depth ?? (Quick ? QuickDepth : _fullDepth);

    /// <summary>The Markdown file to write, and the others beside it; null: the console alone.</summary>
    public string? Output { get; init; }

    /// <summary>How long a row is measured in each round, unless it is <see cref="Quick"/>.</summary>
    public double Seconds { get; init; } = 1;

    public TimeSpan Duration => TimeSpan.FromSeconds(Quick ? 0.1 : Seconds);

    public TimeSpan WarmUp => TimeSpan.FromSeconds(Quick ? 0.03 : 0.25);

    /// <param name="arguments">As in <see cref="Usage"/>.</param>
    /// <param name="fullDepth">Bytes of the messages in the deep queue where the arguments say nothing of them.</param>
    /// <exception cref="ArgumentException">The arguments are not as in <see cref="Usage"/>.</exception>
    public static BenchOptions Parse(IReadOnlyList<string> arguments, long fullDepth = 10_000_000_000)
    {
        var options = new BenchOptions { _fullDepth = fullDepth };
        for (int i = 0; i < arguments.Count; i++)
        {
            options = arguments[i] switch
            {
                "--quick" => options with { Quick = true, Rounds = 3 },
                "--runs" => options with { Rounds = (int)Number(Next(), int.MaxValue) },
                "--only" => options with { Only = Next() },
                "--depth" => options with { _depth = Number(Next(), long.MaxValue) },
                "--output" => options with { Output = Next() },
                _ => throw Wrong(),
            };

            string Next() => ++i < arguments.Count ? arguments[i] : throw Wrong();
        }
        return options;
    }

    private static long Number(string text, long most) =>
        long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out long number) && number > 0 && number <= most
            ? number : throw Wrong();

    private static ArgumentException Wrong() => new($"Arguments: {Usage}");
}
