namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0106_UnreadDefault
{
    private const string Filled = "using var q = MappedQueue<Order>.Open(\"q\"); q.Enqueue(new Order()); ";

    [Theory]
    [InlineData("using var q = MappedQueue<Order>.Open(\"q\"); using var s = [|q.Subscribe(\"billing\")|]; q.TryEnqueue(new Order());")]
    [InlineData("using var q = MappedQueue<Order>.Open(\"q\", null); q.Enqueue(new Order()); [|q.Subscribe(\"billing\")|].Dispose();")]
    [InlineData("using var q = MappedQueue<Order>.Open(\"q\", new() { Capacity = 9 }); [|q.Subscribe(\"a\")|]; q.Subscribe(\"b\");")]
    [InlineData(
        "using var q = MappedQueue<Order>.OpenExpress(\"q\"); q.EnqueueBatch([]); Console.WriteLine(q.Path); "
            + "Action a = () => [|q.Subscribe(\"a\")|].Dispose();")]
    public Task Points_at_the_first_named_subscription(string body) => AnalyzerRun.Expect("BQ0106", Source(body));

    [Theory]
    [InlineData(
        "using var q = MappedQueue<Order>.Open(\"q\", new QueueOptions { CreateDefaultSubscription = false }); q.Enqueue(new Order()); "
            + "q.Subscribe(\"a\").Dispose();")]
    [InlineData("using var q = MappedQueue<Order>.Open(\"q\"); q.Subscribe(\"a\").Dispose();")]
    [InlineData("using var q = MappedQueue<Order>.Open(\"q\", options); q.Enqueue(new Order()); q.Subscribe(\"a\").Dispose();")]
    [InlineData(Filled + "q.Subscribe(\"default\").Dispose();")]
    [InlineData(Filled + "q.Subscribe(\"a\").Dispose(); q.Subscribe(\"default\").Dispose();")]
    [InlineData(Filled + "q.Subscribe(\"a\").Dispose(); while (q.TryDequeue(out var o)) { }")]
    [InlineData(Filled + "q.Subscribe(\"a\").Dispose(); Order? o = null; q.TryDequeue(ref o);")]
    [InlineData(Filled + "q.Subscribe(\"a\").Dispose(); q.DeleteSubscription(\"default\");")]
    [InlineData(Filled + "q.Subscribe(\"a\").Dispose(); Serve(q);")]
    [InlineData(Filled + "q.Subscribe(name).Dispose();")]
    [InlineData("var q = MappedQueue<Order>.Open(\"q\"); q.Enqueue(new Order()); q.Subscribe(\"a\").Dispose(); _kept = q;")]
    [InlineData("var q = Make(); q.Subscribe(\"a\").Dispose();")]
    [InlineData("given.Subscribe(\"a\").Dispose();")]
    [InlineData("_kept!.Subscribe(\"a\").Dispose();")]
    public Task Is_silent_where_it_may_be_read_or_is_not_there(string body) => AnalyzerRun.ExpectNone(Source(body));

    private static string Source(string body) => $$"""
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public class Use
        {
            private MappedQueue<Order>? _kept;
            private static MappedQueue<Order> Make() => MappedQueue<Order>.Open("q");
            private static void Serve(MappedQueue<Order> queue) { }
            public void Run(MappedQueue<Order> given, QueueOptions options, string name)
            {
                {{body}}
            }
        }
        """;
}
