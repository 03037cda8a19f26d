using BlitQueue.Tests.Processes;
using BlitQueue.Tests.Queue.Evolution;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>Versions of a message type that share a queue, and versions that may not; docs/evolution.md, row by row.</summary>
public sealed class EvolutionTests : IDisposable
{
    private readonly Site _site = new();

    [Fact]
    public void A_newer_version_reads_what_an_older_one_enqueued_and_the_reverse_while_both_have_the_queue_open()
    {
        using MappedQueue<First.Order> older = Open<First.Order>();
        older.Enqueue(new First.Order { Id = 1, Customer = "Ada", Lines = [new() { Sku = "X" }] });
        using MappedQueue<Second.Order> newer = Open<Second.Order>();

        Second.Order? full = null;
        Assert.True(newer.TryDequeue(ref full));
        Assert.Equal((1L, "Ada", "X", 0, null), (full!.Id, full.Customer, full.Lines![0].Sku, full.Lines[0].Count, full.Remark));
        Assert.Equal(-1, full.Total);

        newer.Enqueue(
            new Second.Order
            {
                Id = 2,
                Customer = "Bo",
                Total = 5,
                Remark = "r",
                Lines = [new() { Sku = "Y", Count = 3, From = new() { Country = "DK" } }],
            });
        First.Order? known = null;
        Assert.True(older.TryDequeue(ref known));
        Assert.Equal((2L, "Bo", "Y"), (known!.Id, known.Customer, known.Lines![0].Sku));
    }

    [Fact]
    public void An_older_version_opens_what_a_newer_one_has_made_and_the_newer_ones_members_stay_known()
    {
        Open<Second.Order>().Dispose();
        string made = Schema();
        Open<First.Order>().Dispose();
        Assert.Equal(made, Schema());
        Assert.Equal(Second.Order.Schema.Text, made);
    }

    [Fact]
    public void A_newer_version_adds_its_members_to_what_is_known()
    {
        Open<First.Order>().Dispose();
        Assert.Equal(First.Order.Schema.Text, Schema());
        Open<Second.Order>().Dispose();
        Assert.Equal(Second.Order.Schema.Text, Schema());
    }

    [Fact]
    public void A_number_stays_known_after_a_version_has_left_it_out()
    {
        Open<First.Ticket>().Dispose();
        Open<Second.Ticket>().Dispose();
        Assert.Equal("#0tolerant{Id@0:i64,Old@1:string,New@2:string}", Schema());
        SchemaMismatchException refused = Assert.Throws<SchemaMismatchException>(() => Open<Other.Ticket>());
        Assert.Contains("Old is i32 here, string there", refused.Message);
    }

    [Fact]
    public void Cases_can_be_added_and_who_knows_fewer_is_refused()
    {
        Open<First.IEvent>().Dispose();
        using (MappedQueue<Second.IEvent> newer = Open<Second.IEvent>())
        {
            newer.Enqueue(new Second.Sent { Carrier = "c" });
        }
        SchemaMismatchException refused = Assert.Throws<SchemaMismatchException>(() => Open<First.IEvent>());
        Assert.Contains("7 is a case there that cannot be read here", refused.Message);
    }

    [Fact]
    public void A_member_that_was_put_between_others_is_refused_and_nothing_is_changed()
    {
        Open<First.Order>().Dispose();
        byte[] before = Site.Read(_site.File("queue.meta"));
        SchemaMismatchException refused = Assert.Throws<SchemaMismatchException>(() => Open<Other.Order>());
        Assert.Contains("Shop stands where Customer stands there", refused.Message);
        Assert.Contains("Region: only here (i32)", refused.Message);
        Assert.Equal(before, Site.Read(_site.File("queue.meta")));
    }

    [Fact]
    public void Dead_letters_evolve_with_their_message()
    {
        using (MappedQueue<First.Order> older = Open<First.Order>())
        {
            older.Enqueue(new First.Order { Id = 1 });
            using Subscription<First.Order> consumer = older.Subscribe("default");
            consumer.Receive().DeadLetter("no");
        }
        using MappedQueue<Second.Order> newer = Open<Second.Order>();
        DeadLetter<Second.Order>? letter = null;
        Assert.True(newer.Subscribe("default").DeadLetters.TryTake(ref letter));
        Assert.Equal((1L, "no"), (letter!.Message.Id, letter.Reason));
    }

    private MappedQueue<T> Open<T>()
        where T : IPackable<T> => MappedQueue<T>.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });

    private string Schema()
        => File.ReadLines(_site.File("queue.meta")).Single(static line => line.StartsWith("schema ", StringComparison.Ordinal))[7..];

    public void Dispose() => _site.Dispose();
}
