namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0101_FreshInLoop
{
    [Theory]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref [|order|]); }")]
    [InlineData("while (true) { Order? order = default; if (q.TryDequeue(ref [|order|])) Handle(order!); }")]
    [InlineData("do { var order = default(Order); q.Dequeue(ref [|order|]); } while (true);")]
    [InlineData("for (var i = 0; i < 9; i++) { Order? order = new(); q.TryDequeue(ref [|order|]); }")]
    [InlineData("foreach (var i in new int[9]) { Order? order = new Order(); q.Dequeue(ref [|order|]); Console.WriteLine(order!.Id); }")]
    [InlineData("while (true) { Order? order = null; s.Dequeue(ref [|order|]); }")]
    [InlineData("while (true) { Order? order = null; using var lease = s.Receive(); lease.ReadInto(ref [|order|]); lease.Commit(); }")]
    [InlineData("while (true) { if (q.SkipCorrupt()) { Order? order = null; while (q.SkipCorrupt()) { } q.Dequeue(ref [|order|]); } }")]
    public Task Points_at_the_argument(string body) => AnalyzerRun.Expect("BQ0101", Source(body));

    [Theory]
    [InlineData("Order? order = null; while (true) q.Dequeue(ref order);")]
    [InlineData("Order? order = null; q.Dequeue(ref order);")]
    [InlineData("while (true) { Order? order = null; q.TryDequeue(ref order, out _); }")]
    [InlineData("for (Order? order = null; q.TryDequeue(ref order);) Handle(order!);")]
    [InlineData("while (true) { Order? order = null; while (q.TryDequeue(ref order)) Handle(order!); }")]
    [InlineData("while (true) { Action act = () => { Order? order = null; q.Dequeue(ref order); }; }")]
    [InlineData("while (true) { var point = default(Point); p.Dequeue(ref point); }")]
    [InlineData("while (true) { System.Threading.CancellationToken token = default; Handle(q.Dequeue(token)); }")]
    public Task Is_silent_where_nothing_could_be_reused(string body) => AnalyzerRun.ExpectNone(Source(body));

    [Theory]
    [InlineData("while (true) { Order? order = null; if (q.TryDequeue(ref order)) list.Add(order!); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); _last = order; }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); var stored = order; }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); System.Threading.Tasks.Task.Run(() => Handle(order!)); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); new Basket(order!); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); Order[] all = [order!]; }")]
    [InlineData("while (true) { Order? order = null; order = _last; q.Dequeue(ref order); }")]
    [InlineData("while (true) { Order? order = _last; q.Dequeue(ref order); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); channel.TryWrite(order!); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); _ = HandleAsync(order!); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); tasks.Add(HandleAsync(order!)); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); handler(order!); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); sink.OnNext(order!); }")]
    [InlineData("while (true) { Order? order = null; q.Dequeue(ref order); Overridden(order!); }")]
    public Task Is_silent_where_the_message_lives_longer(string body) => AnalyzerRun.ExpectNone(Source(body));

    [Fact]
    public Task Is_silent_where_it_is_returned() => AnalyzerRun.ExpectNone("""
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public static class Use
        {
            public static IEnumerable<Order> All(MappedQueue<Order> q) {
                while (true) { Order? order = null; q.Dequeue(ref order); yield return order!; } }
            public static Order First(MappedQueue<Order> q) {
                while (true) { Order? order = null; if (q.TryDequeue(ref order)) return order!; } }
        }
        """);

    private static string Source(string body) => $$"""
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        [QueueMessage] public partial struct Point { public int X; }
        public class Basket { public Basket(Order order) { } }
        public static class Other { public static bool TryDequeue(this MappedQueue<Order> q, ref Order? order, out int number) {
            number = 0; return q.TryDequeue(ref order); } }
        public class Use
        {
            private Order? _last;
            private static void Handle(Order order) => Console.WriteLine(order);
            private static System.Threading.Tasks.Task HandleAsync(Order order) => System.Threading.Tasks.Task.FromResult(order);
            protected virtual void Overridden(Order order) { }
            public void Run(MappedQueue<Order> q, Subscription<Order> s, MappedQueue<Point> p, List<Order> list,
                System.Threading.Channels.ChannelWriter<Order> channel, List<System.Threading.Tasks.Task> tasks, Action<Order> handler,
                IObserver<Order> sink)
            {
                {{body}}
            }
        }
        """;
}
