// ASP.NET: requests enqueue and are answered at once; a handler in the same process, or in others, does the work.
//
//   dotnet run --project samples/Web --urls http://localhost:5080
//   curl -d '{"customer":"Ada"}' -H 'Content-Type: application/json' http://localhost:5080/orders
//   curl http://localhost:5080/queue
using BlitQueue;
using BlitQueue.Hosting;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);

// One handle for the application; the container disposes it when the host stops.
builder.Services.AddBlitQueue<Order>("orders", options =>
    {
        options.Path = Path.Combine(Path.GetTempPath(), "blitqueue-web");
        options.Capacity = 64 << 20;
    })
    .AddConsumer<Billing>(configure: options => options.RetryDelay = TimeSpan.FromSeconds(5));
builder.Services.AddHealthChecks().AddBlitQueue("orders", limits => limits.MaxLag = 10_000);

WebApplication app = builder.Build();
app.MapPost("/orders", async (Order order, MappedQueue<Order> orders, CancellationToken cancellationToken) =>
{
    QueuePosition position = await orders.EnqueueAsync(order, cancellationToken);
    return Results.Accepted($"/orders/{position}");
});
app.MapGet("/queue", (MappedQueue<Order> orders) => orders.GetStatus().ToString());
app.MapHealthChecks("/health");
app.Run();

/// <summary>What a client orders.</summary>
[QueueMessage]
public partial class Order
{
    public string Customer { get; set; } = "";
}

/// <summary>Works on one order at a time. What throws comes again, and is a dead letter in the end.</summary>
internal sealed class Billing(ILogger<Billing> log) : IQueueHandler<Order>
{
    public ValueTask HandleAsync(Order message, MessageContext context, CancellationToken cancellationToken)
    {
        log.LogInformation("bill for {Customer}, attempt {Attempt}", message.Customer, context.Attempt);
        return default;
    }
}
