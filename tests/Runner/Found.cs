using Xunit.Abstractions;

namespace BlitQueue.Runner;

/// <summary>The tests that an assembly has.</summary>
internal sealed class Found : LongLivedSink
{
    public List<ITestCase> Cases { get; } = [];

    public ManualResetEvent Finished { get; } = new(false);

    public override bool OnMessage(IMessageSinkMessage message)
    {
        switch (message)
        {
            case ITestCaseDiscoveryMessage found:
                Cases.Add(found.TestCase);
                break;
            case IDiscoveryCompleteMessage:
                Finished.Set();
                break;
        }
        return true;
    }
}
