using System.Reflection;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace BlitQueue.Runner;

/// <summary>Runs the tests of an assembly, and says at the end how many there were, as <c>dotnet test</c> does.</summary>
internal static class TestRun
{
    public static int Of(string path, Options options)
    {
        var assembly = Assembly.LoadFrom(Path.GetFullPath(path));
        using var framework = new XunitTestFramework(new Xunit.Sdk.NullMessageSink());
        using ITestFrameworkDiscoverer discoverer = framework.GetDiscoverer(Reflector.Wrap(assembly));
        var found = new Found();
        discoverer.Find(includeSourceInformation: false, found, new FrameworkOptions(options));
        found.Finished.WaitOne();
        ITestCase[] asked = [.. found.Cases.Where(test => options.Asks(test.DisplayName))];
        ITestCase[] tests = [.. asked.Where(test => !options.LeavesOut(test.DisplayName))];

        using ITestFrameworkExecutor executor = framework.GetExecutor(assembly.GetName());
        var results = new Results();
        executor.RunTests(tests, results, new FrameworkOptions(options));
        results.Finished.WaitOne();
        int skipped = results.Skipped + asked.Length - tests.Length;
        Console.WriteLine(
            $"{(results.Failed == 0 ? "Passed" : "Failed")}! - Failed: {results.Failed}, Passed: {results.Passed}, Skipped: {skipped}, "
                + $"Total: {results.Failed + results.Passed + skipped} - {Path.GetFileName(path)}");
        return results.Failed == 0 && results.Passed > 0 ? 0 : 1;
    }
}
