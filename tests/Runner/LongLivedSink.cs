using Xunit.Abstractions;

namespace BlitQueue.Runner;

/// <summary>What the tests' framework sends its messages to, one at a time.</summary>
internal abstract class LongLivedSink : IMessageSink
{
    private readonly Lock _sync = new();

    public abstract bool OnMessage(IMessageSinkMessage message);

    bool IMessageSink.OnMessage(IMessageSinkMessage message)
    {
        lock (_sync)
        {
            return OnMessage(message);
        }
    }
}
