using System.Diagnostics;
using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace BlitQueue.Runner;

/// <summary>Runs the tests of an assembly, and says at the end how many there were, as <c>dotnet test</c> does.</summary>
internal sealed class TestRun(Assembly assembly, Options options, Journal journal) : IDisposable
{
    private readonly XunitTestFramework _framework = new(new Xunit.Sdk.NullMessageSink());
    private readonly Stopwatch _clock = Stopwatch.StartNew();
    private int _leftOut;

    public static int Of(string path, Options options)
    {
        var journal = new Journal(options.Journal);
        using var run = new TestRun(Assembly.LoadFrom(Path.GetFullPath(path)), options, journal);
        run.RunAll();
        return run.Tell(Path.GetFileName(path));
    }

    private void RunAll()
    {
        ITestCase[] asked = [.. Discover().Where(test => options.Asks(test.DisplayName))];
        ITestCase[] tests = [.. asked.Where(test => !options.LeavesOut(test.DisplayName))];
        _leftOut = asked.Length - tests.Length;

        Array.ForEach([.. tests.Where(journal.IsGivenUp)], GiveUp);
        // Each by itself, so that another that hangs is not mistaken for it.
        foreach (ITestCase test in tests.Where(journal.WasBrokenOff))
        {
            Console.WriteLine($"again, its process hung or broke: {test.DisplayName}");
            Run([test]);
        }
        Run([.. tests.Where(test => !journal.HasEnded(test))]);
        LeaveOut([.. tests.Where(test => !journal.HasEnded(test))]);
    }

    // Another run has another order, and so leaves out others.
    private void LeaveOut(ITestCase[] late)
    {
        if (late.Length > 0)
        {
            Console.WriteLine($"skipped {late.Length} tests that had not begun after {options.Seconds} s");
            _leftOut += late.Length;
        }
    }

    // A test that hangs proves nothing: it counts as skipped. One that breaks its process twice has failed.
    private void GiveUp(ITestCase test)
    {
        bool hung = journal.HasHung(test);
        Console.WriteLine(hung
            ? $"skipped {test.DisplayName}: it hung twice, once alone"
            : $"  Failed {test.DisplayName}\n    Its process broke twice, once while it ran nothing else.");
        journal.End(test, passed: 0, failed: hung ? 0 : 1, skipped: hung ? 1 : 0);
    }

    private List<ITestCase> Discover()
    {
        using ITestFrameworkDiscoverer discoverer = _framework.GetDiscoverer(Reflector.Wrap(assembly));
        var found = new Found();
        discoverer.Find(includeSourceInformation: false, found, new FrameworkOptions(options));
        found.Finished.WaitOne();
        return found.Cases;
    }

    private void Run(ITestCase[] tests)
    {
        if (tests.Length > 0)
        {
            using ITestFrameworkExecutor executor = _framework.GetExecutor(assembly.GetName());
            var results = new Results(journal, () => _clock.Elapsed.TotalSeconds > options.Seconds);
            executor.RunTests(tests, results, new FrameworkOptions(options));
            results.Finished.WaitOne();
        }
    }

    private int Tell(string name)
    {
        int skipped = journal.Skipped + _leftOut;
        Console.WriteLine(
            $"{(journal.Failed == 0 ? "Passed" : "Failed")}! - Failed: {journal.Failed}, Passed: {journal.Passed}, Skipped: {skipped}, "
                + $"Total: {journal.Failed + journal.Passed + skipped} - {name}, {journal.Hangs} hangs");
        return journal.Failed == 0 && journal.Passed > 0 ? 0 : 1;
    }

    public void Dispose() => _framework.Dispose();
}
