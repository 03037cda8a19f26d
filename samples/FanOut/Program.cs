// Publish and subscribe: each subscriber sees every event, at its own pace, also the events from before it was started.
//
//   dotnet run --project samples/FanOut publish 5
//   dotnet run --project samples/FanOut follow billing
//   dotnet run --project samples/FanOut follow audit
using BlitQueue;

// Nobody reads 'default' here, so the queue is made without it: it would keep every event for ever.
using var events = MappedQueue<OrderPlaced>.Open(
    Path.Combine(Path.GetTempPath(), "blitqueue-fanout"),
    new QueueOptions { CreateDefaultSubscription = false, RetainFor = TimeSpan.FromHours(1) });

switch (args)
{
    case ["publish", var count]:
        // The publisher makes the subscriptions too, so that no subscriber misses an event because it is started later.
        foreach (string name in (string[])["billing", "audit"])
        {
            events.Subscribe(name).Dispose();
        }
        for (int number = 1; number <= int.Parse(count); number++)
        {
            events.Enqueue(new OrderPlaced { Number = number, Customer = $"customer {number % 3}" });
        }
        Console.WriteLine(events.GetStatus());
        break;

    case ["follow", var name]:
        using (Subscription<OrderPlaced> mine = events.Subscribe(name))
        {
            OrderPlaced? placed = null;
            while (mine.Dequeue(ref placed, TimeSpan.FromSeconds(1)))
            {
                Console.WriteLine($"{name}: order {placed.Number} of {placed.Customer}");
            }
        }
        break;

    case ["replay", var name]:
        // What was consumed within the last hour is still there.
        using (Subscription<OrderPlaced> mine = events.Subscribe(name))
        {
            mine.Seek(QueuePosition.Oldest);
        }
        break;

    default:
        Console.WriteLine("publish <count>, follow <name>, or replay <name>");
        break;
}

/// <summary>What has happened.</summary>
[QueueMessage]
public partial class OrderPlaced
{
    public int Number { get; set; }

    public string? Customer { get; set; }
}
