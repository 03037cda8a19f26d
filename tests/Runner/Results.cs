using Xunit.Abstractions;

namespace BlitQueue.Runner;

/// <summary>Counts results, and tells of each test when it begins, so that the last lines of a run that broke off say where.</summary>
internal sealed class Results : LongLivedSink
{
    public int Passed { get; private set; }

    public int Failed { get; private set; }

    public int Skipped { get; private set; }

    public ManualResetEvent Finished { get; } = new(false);

    public override bool OnMessage(IMessageSinkMessage message)
    {
        switch (message)
        {
            case ITestStarting starting:
                Console.WriteLine($"begin {starting.Test.DisplayName}");
                break;
            case ITestPassed passed:
                Passed++;
                Console.WriteLine($"passed {passed.Test.DisplayName} [{passed.ExecutionTime:0.0} s]");
                break;
            case ITestFailed failed:
                Failed++;
                Tell(failed.Test.DisplayName, failed);
                break;
            case ITestSkipped skipped:
                Skipped++;
                Console.WriteLine($"skipped {skipped.Test.DisplayName}: {skipped.Reason}");
                break;
            case ITestAssemblyFinished:
                Finished.Set();
                break;
            // What is thrown outside of a test, as in a fixture.
            case IFailureInformation error:
                Failed++;
                Tell("(outside of a test)", error);
                break;
        }
        return true;
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
