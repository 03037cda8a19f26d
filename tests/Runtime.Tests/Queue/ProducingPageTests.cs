using BlitQueue.Tests.Processes;
using BlitQueue.Tests.Queue.Pages;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>What docs/producing.md shows.</summary>
[Collection(ProcessCollection.Name)]
public sealed class ProducingPageTests
{
    [Fact]
    public void The_page_shows_this_code() => Page.AssertRuns("producing.md");

    [Fact]
    public void Its_code_does_what_it_says() => Assert.Equal("101.5\n101.6\n101.7\n", Page.Run(Show));

    private static void Show()
    {
        Page.MakeQueue<Quote>("quotes");

        using var quotes = MappedQueue<Quote>.Open("quotes");
        using (SoleProducer<Quote> producer = quotes.OpenSoleProducer())   // QueueException: another process is the only producer
        {
            var quote = new Quote { Instrument = 7, Price = 101.5 };
            producer.Enqueue(in quote);                                    // takes no lock
            producer.EnqueueBatch([new() { Price = 101.6 }, new() { Price = 101.7 }]);
        }

        Quote? next = null;
        while (quotes.TryDequeue(ref next))                                // consumers see no difference
            Console.WriteLine(next!.Price);
    }
}
