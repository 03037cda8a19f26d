using System.Globalization;
using Xunit.Abstractions;

namespace BlitQueue.Runner;

/// <summary>
/// What became of the test cases, in a file that survives this process: the next one goes on where this one broke off. A line is
/// <c>begin</c>, the case's id and its name; or <c>end</c>, its id, and how many of its tests passed, failed and were skipped; or
/// <c>hung</c>, which the caller writes when it has ended the process because it was silent: the cases that had begun are suspects.
/// </summary>
internal sealed class Journal
{
    // How often a test case may begin and not end.
    private const int MostBegins = 2;

    private readonly string? _path;
    private readonly Dictionary<string, int> _begun = [];
    private readonly HashSet<string> _ended = [], _hung = [];

    /// <param name="path">The file, which need not exist; null: none is written.</param>
    public Journal(string? path)
    {
        _path = path;
        foreach (string line in File.Exists(path) ? File.ReadAllLines(path) : [])
        {
            Read(line.Split('\t'));
        }
    }

    public int Passed { get; private set; }

    public int Failed { get; private set; }

    public int Skipped { get; private set; }

    /// <summary>How many processes hung.</summary>
    public int Hangs { get; private set; }

    public bool HasEnded(ITestCase test) => _ended.Contains(test.UniqueID);

    /// <summary>Whether an earlier process hung or broke while it ran the test case.</summary>
    public bool WasBrokenOff(ITestCase test) => !HasEnded(test) && _begun.ContainsKey(test.UniqueID);

    /// <summary>Whether that was so as often as it is tried.</summary>
    public bool IsGivenUp(ITestCase test) => !HasEnded(test) && _begun.GetValueOrDefault(test.UniqueID) >= MostBegins;

    /// <summary>Whether the last process that ran it hung, and did not break.</summary>
    public bool HasHung(ITestCase test) => _hung.Contains(test.UniqueID);

    public void Begin(ITestCase test) => Write("begin", test.UniqueID, test.DisplayName.ReplaceLineEndings(" ").Replace('\t', ' '));

    public void End(ITestCase test, int passed, int failed, int skipped) => End(test.UniqueID, passed, failed, skipped);

    /// <summary>Something failed outside of a test.</summary>
    public void Fail() => End("", passed: 0, failed: 1, skipped: 0);

    private void End(string id, int passed, int failed, int skipped) => Write(
        "end", id, passed.ToString(CultureInfo.InvariantCulture), failed.ToString(CultureInfo.InvariantCulture),
        skipped.ToString(CultureInfo.InvariantCulture));

    private void Write(params string[] parts)
    {
        Read(parts);
        if (_path is not null)
        {
            File.AppendAllText(_path, string.Join('\t', parts) + '\n');
        }
    }

    private void Read(string[] parts)
    {
        switch (parts[0])
        {
            case "begin":
                _begun[parts[1]] = _begun.GetValueOrDefault(parts[1]) + 1;
                _hung.Remove(parts[1]);
                break;
            case "end":
                _ended.Add(parts[1]);
                Passed += Number(parts[2]);
                Failed += Number(parts[3]);
                Skipped += Number(parts[4]);
                break;
            case "hung":
                Hangs++;
                _hung.UnionWith(_begun.Keys.Except(_ended));
                break;
        }
    }

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
