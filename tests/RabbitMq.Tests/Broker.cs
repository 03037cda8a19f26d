namespace BlitQueue.RabbitMq.Tests;

/// <summary>The broker of these tests alone. All tests share it, one after the other, with queues of their own.</summary>
public sealed class Broker : BrokerServer, IAsyncLifetime
{
    public Task InitializeAsync() => Program is null ? Task.CompletedTask : BeginAsync();

    public Task DisposeAsync()
    {
        End();
        return Task.CompletedTask;
    }
}
