// ASP.NET: requests enqueue and are answered at once; a background service of the same process, or of others, does the work.
//
//   dotnet run --project samples/Web --urls http://localhost:5080
//   curl -d '{"customer":"Ada"}' -H 'Content-Type: application/json' http://localhost:5080/orders
//   curl http://localhost:5080/queue
using BlitQueue;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);

// One handle for the application; the container disposes it when the host stops.
builder.Services.AddSingleton(_ => MappedQueue<Order>.Open(
    Path.Combine(Path.GetTempPath(), "blitqueue-web"), new QueueOptions { Capacity = 64 << 20 }));
builder.Services.AddHostedService<OrderWorker>();

WebApplication app = builder.Build();
app.MapPost("/orders", async (Order order, MappedQueue<Order> orders, CancellationToken cancellationToken) =>
{
    QueuePosition position = await orders.EnqueueAsync(order, cancellationToken);
    return Results.Accepted($"/orders/{position}");
});
app.MapGet("/queue", (MappedQueue<Order> orders) => orders.GetStatus().ToString());
app.Run();

/// <summary>What a client orders.</summary>
[QueueMessage]
public partial class Order
{
    public string Customer { get; set; } = "";
}

/// <summary>Works on one order at a time.</summary>
internal sealed class OrderWorker(MappedQueue<Order> orders, ILogger<OrderWorker> log) : BackgroundService
{
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        await using Subscription<Order> mine = orders.Subscribe(
            "default", new SubscriptionOptions { RetryDelay = TimeSpan.FromSeconds(5) });

        while (true)
        {
            // Ends by OperationCanceledException when the host stops; no message is taken then.
            using Lease<Order> lease = await mine.ReceiveAsync(stoppingToken);
            try
            {
                log.LogInformation("bill for {Customer}, attempt {Attempt}", lease.Read().Customer, lease.Attempt);
                lease.Commit();
            }
            catch (Exception failure) when (failure is not OperationCanceledException)
            {
                log.LogError(failure, "order at {Position} failed", lease.Position);
                lease.Abandon();
            }
        }
    }
}
