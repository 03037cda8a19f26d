using Xunit.Abstractions;

namespace BlitQueue.Runner;

/// <summary>Notes results, and tells of each test when it begins, so that the last lines of a run that broke off say where.</summary>
internal sealed class Results(Journal journal, Func<bool> isTimeOver) : LongLivedSink
{
    public ManualResetEvent Finished { get; } = new(false);

    public override bool OnMessage(IMessageSinkMessage message)
    {
        switch (message)
        {
            case ITestCaseStarting starting:
                journal.Begin(starting.TestCase);
                break;
            case ITestCaseFinished finished:
                journal.End(
                    finished.TestCase, finished.TestsRun - finished.TestsFailed - finished.TestsSkipped, finished.TestsFailed,
                    finished.TestsSkipped);
                break;
            case ITestStarting starting:
                Console.WriteLine($"begin {starting.Test.DisplayName}");
                break;
            case ITestPassed passed:
                Console.WriteLine($"passed {passed.Test.DisplayName} [{passed.ExecutionTime:0.0} s] {passed.Output.TrimEnd()}");
                break;
            case ITestFailed failed:
                Tell(failed.Test.DisplayName, failed);
                break;
            case ITestSkipped skipped:
                Console.WriteLine($"skipped {skipped.Test.DisplayName}: {skipped.Reason}");
                break;
            case ITestAssemblyFinished:
                Finished.Set();
                break;
            // What is thrown outside of a test, as in a fixture.
            case IFailureInformation error:
                journal.Fail();
                Tell("(outside of a test)", error);
                break;
        }
        // The answer false ends the run: the tests that have begun go on to their ends, and no other begins.
        return !isTimeOver();
    }

    private static void Tell(string test, IFailureInformation failure)
    {
        Console.WriteLine($"  Failed {test}");
        for (int i = 0; i < failure.Messages.Length; i++)
        {
            Console.WriteLine($"    {failure.ExceptionTypes[i]}: {failure.Messages[i]}\n{failure.StackTraces[i]}");
        }
    }
}
