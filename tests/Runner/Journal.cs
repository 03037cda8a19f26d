using System.Globalization;
using Xunit.Abstractions;

namespace BlitQueue.Runner;

/// <summary>
/// What became of the tests, in a file that survives this process: the next one goes on where this one broke off. A line is <c>begin</c>,
/// or <c>end</c> and how many passed, failed and were skipped; then the test case's id and its name.
/// </summary>
internal sealed class Journal
{
    // How often a test case may begin and not end: its process hung or broke.
    private const int MostBegins = 2;

    private readonly string? _path;
    private readonly Dictionary<string, int> _begun = [];
    private readonly HashSet<string> _ended = [];

    /// <param name="path">The file, which need not exist; null: none is written.</param>
    public Journal(string? path)
    {
        _path = path;
        string[] lines = File.Exists(path) ? File.ReadAllLines(path) : [];
        foreach (string[] parts in lines.Select(static line => line.Split('\t')))
        {
            if (parts[0] == "end")
            {
                Add(Number(parts[1]), Number(parts[2]), Number(parts[3]));
                _ended.Add(parts[4]);
            }
            else
            {
                _begun[parts[1]] = _begun.GetValueOrDefault(parts[1]) + 1;
            }
        }
    }

    public int Passed { get; private set; }

    public int Failed { get; private set; }

    public int Skipped { get; private set; }

    public bool HasEnded(ITestCase test) => _ended.Contains(test.UniqueID);

    /// <summary>Whether an earlier process hung or broke while it ran the test.</summary>
    public bool WasBrokenOff(ITestCase test) => !HasEnded(test) && _begun.ContainsKey(test.UniqueID);

    /// <summary>Whether that was so as often as it is tried.</summary>
    public bool IsGivenUp(ITestCase test) => !HasEnded(test) && _begun.GetValueOrDefault(test.UniqueID) >= MostBegins;

    public void Begin(ITestCase test) => Write($"begin\t{test.UniqueID}\t{test.DisplayName}");

    public void End(ITestCase test, int run, int failed, int skipped) =>
        End(test.UniqueID, test.DisplayName, run - failed - skipped, failed, skipped);

    /// <summary>What failed outside of a test, or was not run to its end.</summary>
    public void EndFailed(string id, string name) => End(id, name, passed: 0, failed: 1, skipped: 0);

    private void End(string id, string name, int passed, int failed, int skipped)
    {
        Add(passed, failed, skipped);
        Write($"end\t{passed}\t{failed}\t{skipped}\t{id}\t{name}");
    }

    private void Add(int passed, int failed, int skipped)
    {
        Passed += passed;
        Failed += failed;
        Skipped += skipped;
    }

    private void Write(string line)
    {
        if (_path is not null)
        {
            File.AppendAllText(_path, line.Replace('\r', ' ').Replace('\n', ' ') + '\n');
        }
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
