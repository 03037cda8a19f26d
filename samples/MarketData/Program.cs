// Market data: a feed that never waits, in shared memory, and watchers that read single members in place.
//
//   dotnet run -c Release --project samples/MarketData watch quotes
//   dotnet run -c Release --project samples/MarketData feed quotes 1000000
using System.Diagnostics;
using BlitQueue;

if (args is not [var verb, var name, ..])
{
    Console.WriteLine("watch <name>, or feed <name> <count>");
    return;
}

// The newest 8 MiB: a watcher that falls behind misses quotes, and the feed does not wait for it.
using var quotes = MappedQueue<Quote>.OpenExpress(
    name, new QueueOptions { Capacity = 8 << 20, FullMode = FullMode.DropOldest, CreateDefaultSubscription = false });

if (verb == "feed")
{
    int count = int.Parse(args[2]);
    var quote = new Quote();
    var clock = Stopwatch.StartNew();
    for (int number = 0; number < count; number++)
    {
        // One instance for all: Enqueue packs it before it returns.
        quote.Symbol = (number % 3) switch { 0 => "AAA", 1 => "BBB", _ => "CCC" };
        quote.Bid = 100 + number % 10;
        quote.Ask = quote.Bid + 1;
        quote.IsLast = number == count - 1;
        quotes.Enqueue(quote);
    }
    Console.WriteLine($"{clock.Elapsed.TotalNanoseconds / count:F0} ns a quote");
    return;
}

// It ends with this process, and begins with the next quote.
using Subscription<Quote> mine = quotes.Subscribe("watch-" + Environment.ProcessId, new SubscriptionOptions
{
    Ephemeral = true,
    Start = SubscriptionStart.Newest,
});
Console.WriteLine("ready");

long seen = 0;
double highest = 0;
bool isLast = false;
while (!isLast)
{
    using Lease<Quote> lease = mine.Receive();
    using (LeasedBytes bytes = lease.OpenBytes())
    {
        // Two members of the packed bytes in the mapped file: nothing is copied, no string is made.
        var view = new Quote.View(bytes.Span);
        highest = view.Symbol == "BBB"u8 ? Math.Max(highest, view.Ask) : highest;
        isLast = view.IsLast;
    }
    lease.Commit();
    seen++;
}
Console.WriteLine($"saw {seen} quotes, missed {mine.Dropped}; highest ask of BBB: {highest}");

/// <summary>What somebody would buy and sell for.</summary>
[QueueMessage]
public partial class Quote
{
    public string Symbol { get; set; } = "";
    public double Bid { get; set; }
    public double Ask { get; set; }
    public bool IsLast { get; set; }
}
