namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0105_EscapingMessage
{
    [Theory]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) list.Add([|order|]!);")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) map[order!.Id] = [|order|];")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) map.TryAdd(order!.Id, [|order|]);")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) { if (order!.Id > 3) stack.Push([|order|]); }")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) pairs.Add((order!.Id, [|order|]));")]
    [InlineData("Order? order = null; for (var i = 0; i < 9; i++) { q.Dequeue(ref order); array[i] = [|order|]!; }")]
    [InlineData("for (Order? order = null; q.TryDequeue(ref order);) list.Insert(0, [|order|]!);")]
    [InlineData("Order? order = null; while (true) { s.Dequeue(ref order); _last = [|order|]; }")]
    [InlineData("Order? order = null; while (true) { s.Dequeue(ref order); _last ??= [|order|]; }")]
    [InlineData("Order? order = null; while (true) { s.Dequeue(ref order); Last = [|order|]; }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); channel.TryWrite([|order|]!); }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); Task.Run(() => Handle([|order|]!)); }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); new Thread(() => Handle([|order|]!)).Start(); }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); ThreadPool.QueueUserWorkItem(_ => Handle([|order|]!)); }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); actions.Add(() => Handle([|order|]!)); }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); Done += () => Handle([|order|]!); }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); _ = HandleAsync([|order|]!); }")]
    [InlineData("Order? order = null; while (true) { q.Dequeue(ref order); tasks.Add(HandleAsync([|order|]!)); }")]
    [InlineData(
        "Order? order = null; while (true) { using var lease = s.Receive(); lease.ReadInto(ref order); list.Add([|order|]!); "
        + "lease.Commit(); }")]
    [InlineData("while (true) { Order? order = null; while (q.TryDequeue(ref order)) list.Add([|order|]!); }")]
    public Task Points_at_what_escapes(string body) => AnalyzerRun.Expect("BQ0105", Source(body));

    [Theory]
    [InlineData("while (q.TryDequeue(out var order)) list.Add(order);")]
    [InlineData("Order? order = null; if (q.TryDequeue(ref order)) list.Add(order!);")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) { list.Add(order!); order = null; }")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) Handle(order!);")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) numbers.Add(order!.Id);")]
    [InlineData(
        "Order? order = null; while (q.TryDequeue(ref order)) { if (list.Contains(order!) || list.Any(other => other.Id == order!.Id)) "
        + "Handle(order!); }")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) list.Add(new Order { Id = order!.Id });")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) other.Enqueue(order!);")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) HandleAsync(order!).Wait();")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order)) { } list.Add(order!);")]
    [InlineData("Order? order = null; foreach (var i in numbers) list.Add(order!); q.Dequeue(ref order);")]
    [InlineData("var point = default(Point); while (p.TryDequeue(ref point)) points.Add(point);")]
    public Task Is_silent_about_what_is_a_message_of_its_own(string body) => AnalyzerRun.ExpectNone(Source(body));

    [Fact]
    public Task Is_silent_about_a_task_that_is_awaited() => AnalyzerRun.ExpectNone("""
        using System.Threading.Tasks;
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public static class Use
        {
            public static async Task Run(MappedQueue<Order> q) {
                Order? order = null; while (q.TryDequeue(ref order)) await Handle(order!); }
            private static async Task Handle(Order order) => await Task.Delay(order.Id);
        }
        """);

    private static string Source(string body) => $$"""
        using System.Linq;
        using System.Threading;
        using System.Threading.Tasks;

        [QueueMessage] public partial class Order { public int Id { get; set; } }
        [QueueMessage] public partial struct Point { public int X; }
        public class Use
        {
            private Order? _last;
            private Order? Last { get; set; }
            private event Action? Done;
            private static void Handle(Order order) => Console.WriteLine(order);
            private static Task HandleAsync(Order order) => Task.FromResult(order.Id);
            public void Run(MappedQueue<Order> q, MappedQueue<Order> other, Subscription<Order> s, MappedQueue<Point> p, List<Order> list,
                Dictionary<int, Order> map, Stack<Order> stack,
                List<(int, Order)> pairs, Order[] array, List<Action> actions, List<Task> tasks, List<int> numbers, List<Point> points,
                    System.Threading.Channels.ChannelWriter<Order> channel)
            {
                {{body}}
            }
        }
        """;
}
