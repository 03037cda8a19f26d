namespace BlitQueue.RabbitMq.Tests;

/// <summary>A theory that needs the broker; skipped, and counted as that, where it is not installed.</summary>
public sealed class BrokerTheoryAttribute : TheoryAttribute
{
    public BrokerTheoryAttribute() => Skip = new BrokerFactAttribute().Skip;
}
