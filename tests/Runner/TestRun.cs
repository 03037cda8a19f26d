using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace BlitQueue.Runner;

/// <summary>Runs the tests of an assembly, and says at the end how many there were, as <c>dotnet test</c> does.</summary>
internal sealed class TestRun
{
    private readonly Options _options;
    private readonly Journal _journal;
    private readonly Assembly _assembly;
    private readonly XunitTestFramework _framework = new(new Xunit.Sdk.NullMessageSink());
    private int _leftOut;

    private TestRun(string path, Options options)
    {
        _options = options;
        _journal = new Journal(options.Journal);
        _assembly = Assembly.LoadFrom(Path.GetFullPath(path));
    }

    public static int Of(string path, Options options)
    {
        var run = new TestRun(path, options);
        using (run._framework)
        {
            run.RunAll();
        }
        return run.Tell(Path.GetFileName(path));
    }

    private void RunAll()
    {
        ITestCase[] asked = [.. Discover().Where(test => _options.Asks(test.DisplayName))];
        ITestCase[] tests = [.. asked.Where(test => !_options.LeavesOut(test.DisplayName))];
        _leftOut = asked.Length - tests.Length;

        foreach (ITestCase test in tests.Where(_journal.IsGivenUp))
        {
            Console.WriteLine($"  Failed {test.DisplayName}\n    Its process hung or broke, and so did the one that ran it alone.");
            _journal.EndFailed(test.UniqueID, test.DisplayName);
        }
        // By itself, so that another that hangs is not mistaken for it.
        foreach (ITestCase test in tests.Where(_journal.WasBrokenOff))
        {
            Console.WriteLine($"again, its process hung or broke: {test.DisplayName}");
            Run([test]);
        }
        Run([.. tests.Where(test => !_journal.HasEnded(test))]);
    }

    private List<ITestCase> Discover()
    {
        using ITestFrameworkDiscoverer discoverer = _framework.GetDiscoverer(Reflector.Wrap(_assembly));
        var found = new Found();
        discoverer.Find(includeSourceInformation: false, found, new FrameworkOptions(_options));
        found.Finished.WaitOne();
        return found.Cases;
    }

    private void Run(ITestCase[] tests)
    {
        if (tests.Length == 0)
        {
            return;
        }
        using ITestFrameworkExecutor executor = _framework.GetExecutor(_assembly.GetName());
        var results = new Results(_journal);
        executor.RunTests(tests, results, new FrameworkOptions(_options));
        results.Finished.WaitOne();
    }

    private int Tell(string name)
    {
        int skipped = _journal.Skipped + _leftOut;
        bool isGood = _journal.Failed == 0;
        Console.WriteLine(
            $"{(isGood ? "Passed" : "Failed")}! - Failed: {_journal.Failed}, Passed: {_journal.Passed}, Skipped: {skipped}, "
                + $"Total: {_journal.Failed + _journal.Passed + skipped} - {name}");
        return isGood && _journal.Passed > 0 ? 0 : 1;
    }
}
