using System.Text;
using System.Text.RegularExpressions;

namespace BlitQueue.Tests.House;

/// <summary>Nothing in <c>src</c> is written twice: no six lines have the same text, and no six lines of logic the same shape.</summary>
/// <remarks>
/// A line of logic says what is done. Of the others, six of one shape in a row say nothing: usings, comments, attributes, lines without a
/// word that is not the language's; declarations of types, of fields, of properties on one line, and of methods without a body; and the
/// rows of lists: a name, a number or a text alone, <c>name = value,</c>, <c>pattern => value,</c>, an option's key and how it is read, a
/// member of JSON and its value. Two lines have the same shape if they are equal once every name, number and text is replaced by one
/// letter, whatever the names are; keywords and punctuation stay.
/// </remarks>
public sealed partial class RepetitionTests
{
    // From so many lines in a row on, what stands twice was written twice.
    private const int Repeated = 6;

    private const string Types = "C# has no type parameter for how many: each number of elements is a type";
    private const string Overloads = "generated code calls by the member's type, and the collections have no common type with a comparer";

    // Per file: why what stands there twice is not written once. What has the same reason may be alike, and nothing else.
    private static readonly Dictionary<string, string> Twice = new()
    {
        ["Runtime/Packing/Views/TupleView.cs"] = Types,
        ["Runtime/Packing/Views/TupleView.Larger.cs"] = Types,
        ["Runtime/Packing/Generated/Comparers.Adopt.cs"] = Overloads,
    };

    // With what a user's program in another language is given.
    private static readonly List<(string Path, string[] Lines)> Sources =
        [.. SourceTextTests.Sources, .. new[] { "*.py", "*.ts", "*.h" }.SelectMany(static pattern => SourceTextTests.Read("src", pattern))];

    private static readonly HashSet<string> Keywords =
    [
        .. ("abstract allows and as async await base bool break byte case catch char checked class const continue decimal default "
            + "delegate do double else enum event explicit extern false field finally fixed float for foreach get goto if implicit "
            + "in init int interface internal is lock long nameof namespace new nint not nuint null object operator or out "
            + "override params partial private protected public readonly record ref required return sbyte scoped sealed set short "
            + "sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using "
            + "var virtual void volatile when where while with yield").Split(' '),
    ];

    [Fact]
    public void No_six_lines_have_the_same_text() => Assert.Empty(Faults(TextsOf));

    [Fact]
    public void No_six_lines_of_logic_have_the_same_shape() => Assert.Empty(Faults(ShapesOf));

    [Fact]
    public void What_may_stand_twice_does()
        => Assert.Equal(
            Twice.Keys.Order(),
            RepeatedRuns(Sources, ShapesOf).SelectMany(static run => run).Select(static at => at.Path).Distinct().Order());

    [Fact]
    public void A_run_is_found_whatever_is_around_it_and_however_it_is_indented()
    {
        string[] indented = [.. Run.Select(static line => "    " + line).Prepend("using System;").Append("// behind").Append("Last();")];
        Assert.Single(RepeatedRuns([("A.cs", Run), ("B.cs", indented)], TextsOf));
        Assert.Empty(RepeatedRuns([("A.cs", Run[..^1]), ("B.cs", indented)], TextsOf));
    }

    [Fact]
    public void A_run_is_found_under_other_names()
    {
        string[] renamed =
        [
            .. Run.Select(static line => line.Replace("one", "_pages").Replace("First", "Add").Replace("\"Five\"", "\"6\"")),
        ];
        Assert.Empty(RepeatedRuns([("A.cs", Run), ("B.cs", renamed)], TextsOf));
        Assert.Single(RepeatedRuns([("A.cs", Run), ("B.cs", renamed)], ShapesOf));
        renamed[^1] = "Five(five, five);";
        Assert.Empty(RepeatedRuns([("A.cs", Run), ("B.cs", renamed)], ShapesOf));
    }

    [Theory]
    [InlineData("using var call = gate.Enter();", true)]
    [InlineData("while (!TryTake(out lease))", true)]
    [InlineData("public bool TryTake(out Lease<T> lease)", true)]
    [InlineData("public int Sum() => _first + _second;", true)]
    [InlineData("throw new QueueException(text);", true)]
    [InlineData("Wait();", true)]
    [InlineData("Add(first, second,", true)]
    [InlineData("using BlitQueue.Memory;", false)]
    [InlineData("public ref long Tail => ref region.Word(TailOffset);", false)]
    [InlineData("private readonly Lock _sync = new();", false)]
    [InlineData("public long Bytes { get; init; }", false)]
    [InlineData("internal sealed class Appender<TMem>(long size)", false)]
    [InlineData("Subscription = options.Subscription,", false)]
    [InlineData("\"list\" or \"map\" => \"bytes\",", false)]
    [InlineData("Descriptors.NullMessage,", false)]
    [InlineData("Free = 0,", false)]
    [InlineData("return false;", false)]
    [InlineData("[MethodImpl(MethodImplOptions.AggressiveInlining)]", false)]
    public void A_line_of_logic_says_what_is_done(string line, bool isLogic) => Assert.Equal(isLogic, ShapesOf([line]).Any());

    private static string[] Run { get; } =
        ["if (one)", "{", "    First(one);", "    Second(\"Five\");", "}", "Third(three);", "var four = one + Fourth();", "Five(five);"];

    private static IEnumerable<string> Faults(Func<string[], IEnumerable<(int Index, string Text)>> linesOf) =>
        from run in RepeatedRuns(Sources, linesOf)
        let reasons = run.Select(static at => Twice.GetValueOrDefault(at.Path)).Distinct().ToList()
        where reasons.Count > 1 || reasons[0] is null
        select string.Join(" ~ ", run.Select(static at => $"{at.Path}:{at.Line}"));

    // Each run of lines that count, with where it begins.
    private static IEnumerable<(string Path, int Line)[]> RepeatedRuns(
        IEnumerable<(string Path, string[] Lines)> sources, Func<string[], IEnumerable<(int Index, string Text)>> linesOf)
    {
        var runs = new Dictionary<string, List<(string Path, int Line)>>();
        foreach ((string path, string[] lines) in sources)
        {
            var counted = linesOf(lines).ToList();
            var ends = new Dictionary<string, int>();
            for (int i = 0; i + Repeated <= counted.Count; i++)
            {
                string run = string.Join('\n', counted.GetRange(i, Repeated).Select(static line => line.Text));
                // A run that overlaps itself does not stand twice.
                if (i < ends.GetValueOrDefault(run))
                {
                    continue;
                }
                ends[run] = i + Repeated;
                if (!runs.TryGetValue(run, out List<(string, int)>? starts))
                {
                    runs.Add(run, starts = []);
                }
                starts.Add((path, counted[i].Index + 1));
            }
        }
        return runs.Values.Where(static starts => starts.Count > 1).Select(static starts => starts.ToArray());
    }

    private static IEnumerable<(int Index, string Text)> TextsOf(string[] lines) =>
        lines.Index().Select(static line => (line.Index, line.Item.Trim())).Where(static line => !Common().IsMatch(line.Item2));

    private static IEnumerable<(int Index, string Text)> ShapesOf(string[] lines)
    {
        string text = WithoutBody().Replace(Attributes().Replace(string.Join('\n', lines), Emptied), Emptied);
        return text.Split('\n').Index().Select(static line => (line.Index, Text: line.Item.Trim()))
            .Where(static line => !Common().IsMatch(line.Text) && !Declaration().IsMatch(line.Text) && !Row().IsMatch(line.Text))
            .Select(static line => (line.Index, ShapeOf(line.Text)));
    }

    private static string Emptied(Match match) => new('\n', match.Value.Count(static letter => letter == '\n'));

    private static string ShapeOf(string line)
    {
        var shape = new StringBuilder();
        foreach (Match token in Tokens().Matches(line))
        {
            shape.Append(token switch
            {
                _ when token.Groups["text"].Success => "s",
                _ when token.Groups["number"].Success => "0",
                _ when token.Groups["word"].Success && !Keywords.Contains(token.Value) => "n",
                _ => token.Value,
            }).Append(' ');
        }
        return shape.ToString();
    }

    // What every file has: usings, comments, and lines of punctuation and words of the language alone.
    [GeneratedRegex(@"^(\W*|(global )?using [\w.= <>,]+;|//.*|#.*|else|get|try|finally|do|return( \w+)?;|break;|continue;|default:)$")]
    private static partial Regex Common();

    [GeneratedRegex(
        @"^(namespace .*|where \w+ : .*"
        + @"|((public|internal|private|protected|static|sealed|abstract|readonly|ref|partial|file|unsafe) )*"
        + @"(class|struct|interface|enum|record|delegate)\b.*"
        // A field, or a property on one line: no bracket of parameters in front of the value.
        + @"|((public|internal|private|protected|static|abstract|readonly|required|new|override|virtual|const|volatile) )+"
        + @"[^=(]*(;|\{ get;.*|=.*))$")]
    private static partial Regex Declaration();

    [GeneratedRegex(
        @"^([\w.?!-]+(\(\))?,|[\w.]+\)*;|[$@]*""[^""]*""( \+|[,;)\]}]*)"
        + @"|[\w"".\[\]]+ =>? [^;{]*,|[\w"". ]+ => [^;{(]*,|\(nameof\(.*|json\.Member\(""\w+"", .*\);)$")]
    private static partial Regex Row();

    [GeneratedRegex(@"^[ \t]*\[([^\[\]""]|""[^""]*""|\[[^\[\]]*\])*\][ \t]*$", RegexOptions.Multiline)]
    private static partial Regex Attributes();

    [GeneratedRegex(@"^[ \t]*(public|internal|private)[^;{}=]*\b(partial|extern)\b[^;{}]*;", RegexOptions.Multiline)]
    private static partial Regex WithoutBody();

    [GeneratedRegex(@"(?<text>[$@]*""([^""\\]|\\.)*""|'([^'\\]|\\.)+')|(?<word>[A-Za-z_]\w*)|(?<number>\d[\w.]*)|\S")]
    private static partial Regex Tokens();
}
