namespace BlitQueue.RabbitMq.Tests;

/// <summary>The tests that share the broker.</summary>
[CollectionDefinition(Name)]
public sealed class BrokerCollection : ICollectionFixture<Broker>
{
    public const string Name = "broker";
}
