namespace BlitQueue.RabbitMq.Tests;

/// <summary>A test that needs the broker; skipped, and counted as that, where it is not installed.</summary>
public sealed class BrokerFactAttribute : FactAttribute
{
    public BrokerFactAttribute() =>
        Skip = Broker.Program is null ? "rabbitmq-server is not there: tests/RabbitMq.Tests/install.sh installs it" : null;
}
