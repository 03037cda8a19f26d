using BlitQueue.Tests.Processes;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/subscriptions.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed partial class SubscriptionsPageTests
{
    private static readonly List<long> Billed = [], Written = [];

    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("subscriptions.md");

    [Fact]
    public void It_does_what_the_page_says()
    {
        Billed.Clear();
        Written.Clear();
        string said = Page.Run(Show);
        Assert.Equal([1, 2], Billed);
        Assert.Equal([1], Written);
        string[] lines = said.Split('\n');
        Assert.StartsWith("3: no such customer, at ", lines[0], StringComparison.Ordinal);
        Assert.EndsWith(" after 1 attempts", lines[0], StringComparison.Ordinal);
        Assert.Equal("audit: 3 waiting, 0 leased, 0 dropped, 1 consumers", lines[1]);
        Assert.StartsWith("billing: 1 waiting, 0 leased, 0 dropped, ", lines[2], StringComparison.Ordinal);
    }

    private static void Show()
    {
        Page.MakeQueue<Order>("orders", createDefaultSubscription: false);
        using (var first = MappedQueue<Order>.Open("orders", new QueueOptions { CreateDefaultSubscription = false }))
        {
            using Subscription<Order> one = first.Subscribe("billing"), other = first.Subscribe("audit");
            first.Enqueue(new Order { Id = 1 });
            first.Enqueue(new Order { Id = 2 });
        }

        using var orders = MappedQueue<Order>.Open("orders", new QueueOptions { CreateDefaultSubscription = false });

        using var billing = orders.Subscribe("billing");                        // made at the first call, found by every later one
        using var audit = orders.Subscribe("audit", new SubscriptionOptions { Start = SubscriptionStart.Newest });

        Order? order = null;
        while (billing.TryDequeue(ref order)) Bill(order!);                     // taken and consumed in one step

        using Lease<Order> lease = audit.Receive();                             // taken, not yet consumed
        lease.ReadInto(ref order);
        Write(order!);
        lease.Commit();                                                         // killed before this line, another consumer gets it

        // Gone with its last consumer; gone after a week without one.
        using var watch = orders.Subscribe("watch", new SubscriptionOptions { Ephemeral = true });
        using var report = orders.Subscribe("report", new SubscriptionOptions { ExpiresAfter = TimeSpan.FromDays(7) });

        orders.Enqueue(new Order { Id = 3 });
        using Lease<Order> another = billing.Receive();
        SetAside(another, billing);

        foreach (SubscriptionStatus one in orders.GetStatus().Subscriptions)
            Console.WriteLine($"{one.Name}: {one.Lag} waiting, {one.InFlight} leased, {one.Dropped} dropped, {one.Consumers} consumers");
    }

    private static void SetAside(Lease<Order> lease, Subscription<Order> billing)
    {
        lease.DeadLetter("no such customer");                                   // not delivered again, and not lost

        while (billing.DeadLetters.TryReceive(out DeadLetterLease<Order> aside))
        {
            DeadLetter<Order> letter = aside.Read();
            Console.WriteLine($"{letter.Message.Id}: {letter.Reason}, at {letter.Position} after {letter.Attempts} attempts");
            aside.Requeue();                                                    // or Commit: the letter is gone; or Abandon
        }
    }

    private static void Bill(Order order) => Billed.Add(order.Id);

    private static void Write(Order order) => Written.Add(order.Id);

    [QueueMessage]
    public sealed partial class Order
    {
        public long Id { get; set; }
    }
}
