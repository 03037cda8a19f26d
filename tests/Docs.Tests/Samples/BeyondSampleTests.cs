using BlitQueue.RabbitMq.Tests;

namespace BlitQueue.Docs.Samples;

/// <summary>The sample with two machines, and the real broker between them.</summary>
[Collection(BrokerCollection.Name)]
public sealed class BeyondSampleTests(Broker broker) : IDisposable
{
    private readonly DirectoryInfo _temporary = Directory.CreateTempSubdirectory("blitqueue-samples-");

    public void Dispose() => _temporary.Delete(recursive: true);

    [BrokerFact]
    public void A_question_there_is_answered_into_a_local_queue_here()
    {
        // Asked before the office is there for the first time.
        using Command shop = Start("shop", broker.Host, "How many?", "How much?");
        using Command office = Start("office", broker.Host);
        Assert.Equal("'How many?' has 9 letters\n'How much?' has 9 letters\n", shop.End());
        using Command again = Start("shop", broker.Host, "Who?");
        Assert.Equal("'Who?' has 4 letters\n", again.End());
        office.Kill();
    }

    private Command Start(params string[] arguments) => Command.Start(
        _temporary.FullName, Command.Dotnet,
        [Repository.Of("samples", "Beyond", "bin", Repository.Configuration, "net10.0", "Beyond.dll"), .. arguments],
        new Dictionary<string, string> { ["TMPDIR"] = _temporary.FullName });
}
