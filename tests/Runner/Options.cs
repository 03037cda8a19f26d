using System.Globalization;
using System.Text.RegularExpressions;

namespace BlitQueue.Runner;

/// <summary>What the command line says about the tests to run.</summary>
internal sealed class Options
{
    private readonly Regex _only = new("");
    private readonly List<Regex> _leftOut = [];

    public Options(string[] arguments)
    {
        for (int i = 0; i + 1 < arguments.Length; i += 2)
        {
            switch (arguments[i])
            {
                case "--only":
                    _only = new Regex(arguments[i + 1]);
                    break;
                case "--leave-out":
                    _leftOut.AddRange(ReadLeftOut(arguments[i + 1]));
                    break;
                case "--journal":
                    Journal = arguments[i + 1];
                    break;
                case "--seconds":
                    Seconds = int.Parse(arguments[i + 1], CultureInfo.InvariantCulture);
                    break;
                case "--threads":
                    Threads = int.Parse(arguments[i + 1], CultureInfo.InvariantCulture);
                    break;
                default:
                    throw new ArgumentException($"{arguments[i]} is no option.");
            }
        }
    }

    public int Threads { get; } = 2;

    /// <summary>After so many seconds no further test begins: those that have not begun are skipped.</summary>
    public int Seconds { get; } = int.MaxValue;

    /// <summary>The file from which a run that broke off goes on; null: none.</summary>
    public string? Journal { get; }

    /// <summary>Whether the command line asks for a test.</summary>
    public bool Asks(string test) => _only.IsMatch(test);

    /// <summary>Whether the list names a test.</summary>
    public bool LeavesOut(string test) => _leftOut.Exists(one => one.IsMatch(test));

    // A line is a regular expression for names of tests; comments, which give the reasons, begin with a number sign.
    private static IEnumerable<Regex> ReadLeftOut(string path) => File.ReadAllLines(path)
        .Select(static line => line.Trim()).Where(static line => line.Length > 0 && !line.StartsWith('#'))
        .Select(static line => new Regex(line));
}
