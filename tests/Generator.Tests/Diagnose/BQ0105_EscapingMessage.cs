namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0105_EscapingMessage
{
    private const string Each = "Order? order = null; while (q.TryDequeue(ref order)) ";

    [Theory]
    [InlineData(Each + "list.Add([|order|]!);")]
    [InlineData(Each + "map[order!.Id] = [|order|];")]
    [InlineData(Each + "map.TryAdd(order!.Id, [|order|]);")]
    [InlineData(Each + "{ if (order!.Id > 3) stack.Push([|order|]); }")]
    [InlineData(Each + "pairs.Add((order!.Id, [|order|]));")]
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
    [InlineData(Each + "{ list.Add(order!); order = null; }")]
    [InlineData(Each + "Handle(order!);")]
    [InlineData(Each + "numbers.Add(order!.Id);")]
    [InlineData(
        Each + "{ if (list.Contains(order!) || list.Any(other => other.Id == order!.Id)) "
        + "Handle(order!); }")]
    [InlineData(Each + "list.Add(new Order { Id = order!.Id });")]
    [InlineData(Each + "other.Enqueue(order!);")]
    [InlineData(Each + "HandleAsync(order!).Wait();")]
    [InlineData(Each + "{ } list.Add(order!);")]
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

    // Other calls that fill, and other places that are filled.
    [Theory]
    [InlineData("Order? order = null; while (true) { order = await q.DequeueAsync(order); list.Add([|order|]); }")]
    [InlineData("Order? order = null; while (true) { order = await s.DequeueAsync(order); _last = [|order|]; }")]
    [InlineData(
        "Order? order = null; while (log.Position < log.Length) { order = await PackStream.ReadAsync(log, order); list.Add([|order|]!); "
        + "}")]
    [InlineData("Order? order = null; foreach (byte[] bytes in many) { Packer.Unpack(bytes, ref order); list.Add([|order|]!); }")]
    [InlineData(
        "Order? order = null; using QueueReader<Order> reader = QueueReader<Order>.Open(path); while (reader.TryRead(ref order)) "
        + "list.Add([|order|]!);")]
    [InlineData(
        "Order? order = null; using QueueCursor<Order> cursor = q.OpenCursor(default); while (cursor.TryRead(ref order)) "
        + "list.Add([|order|]!);")]
    [InlineData("Order? order = null; while (q.TryPeek(ref order)) { list.Add([|order|]!); s.SkipCorrupt(); }")]
    [InlineData("Order? order = null; while (q.TryDequeue(ref order, properties)) list.Add([|order|]!);")]
    [InlineData("while (q.TryDequeue(ref _last)) list.Add([|_last|]!);")]
    [InlineData("while (q.TryDequeue(ref given)) list.Add([|given|]!);")]
    [InlineData("T? any = default; while (generic.TryDequeue(ref any)) these.Add([|any|]!);")]
    public Task Points_at_what_any_call_fills_again(string body) => AnalyzerRun.Expect("BQ0105", Source(body));

    // Other ways to be kept.
    [Theory]
    [InlineData(Each + "{ Order same = [|order|]!; list.Add(same); }")]
    [InlineData(Each + "{ if ([|order|] is { Id: > 3 } large) list.Add(large); }")]
    [InlineData(Each + "{ if ([|order|] is Order sure) list.Add(sure); }")]
    [InlineData(Each + "{ switch ([|order|]) { case { Id: 1 } one: list.Add(one); break; } }")]
    [InlineData(Each + "list.Add(numbers.Count > 1 ? [|order|]! : new Order());")]
    [InlineData(Each + "list.Add(order!.Id switch { 1 => new Order(), _ => [|order|] });")]
    [InlineData(Each + "lines.Add(new Line { Order = [|order|] });")]
    [InlineData(Each + "lines.Add(first with { Order = [|order|] });")]
    [InlineData(Each + "noted.Add(new Note([|order|]!, 1));")]
    [InlineData(Each + "list.AddRange([[|order|]!]);")]
    [InlineData(Each + "list.AddRange(new[] { [|order|]! });")]
    [InlineData(Each + "{ var one = new List<Order> { [|order|]! }; lists.Add(one); }")]
    [InlineData(Each + "{ var one = new List<Order>(); one.Add([|order|]!); lists.Add(one); }")]
    [InlineData(Each + "{ if (!map2.TryGetValue(order!.Id, out List<Order>? of)) map2[order.Id] = of = []; of.Add([|order|]); }")]
    [InlineData(
        "Order? order = null; Order? best = null; while (q.TryDequeue(ref order)) { if (best is null || order!.Id > best.Id) best = "
        + "[|order|]; }")]
    [InlineData(
        "Order? order = null; Order? previous = null; while (q.TryDequeue(ref order)) { if (previous?.Id == order!.Id) Handle(order); "
        + "previous = [|order|]; }")]
    [InlineData(Each + "{ Task work = HandleAsync([|order|]!); tasks.Add(work); }")]
    [InlineData(Each + "source.TrySetResult([|order|]!);")]
    [InlineData(Each + "Interlocked.Exchange(ref _last, [|order|]);")]
    [InlineData(Each + "Volatile.Write(ref _last, [|order|]);")]
    [InlineData(Each + "ThreadPool.QueueUserWorkItem(static o => Handle(o), [|order|]!, false);")]
    [InlineData(Each + "new Thread(static o => Handle((Order)o!)).Start([|order|]);")]
    [InlineData("Order? order = null; Action? all = null; while (q.TryDequeue(ref order)) all += () => Handle([|order|]!); all?.Invoke();")]
    [InlineData(Each + "byId.GetOrAdd(order!.Id, _ => [|order|]);")]
    [InlineData(Each + "System.Runtime.InteropServices.CollectionsMarshal.GetValueRefOrAddDefault(map, order!.Id, out _) = [|order|];")]
    [InlineData(
        "Order? order = null; foreach (MappedQueue<Order> one in queues) { while (one.TryDequeue(ref order)) Handle(order!); "
        + "list.Add([|order|]!); }")]
    [InlineData("Order? order = null; while (true) { while (q.TryDequeue(ref order)) { list.Add([|order|]!); break; } }")]
    [InlineData("Order? order = null; while (true) { order = null; while (q.TryDequeue(ref order)) list.Add([|order|]!); }")]
    [InlineData(Each + "{ order ??= new Order(); list.Add([|order|]); }")]
    [InlineData("Order? order = null; while (true) { if (!q.TryDequeue(ref order)) other.Dequeue(ref order); list.Add([|order|]!); }")]
    [InlineData("Order? order = null; do { list?.Add([|order|]!); } while (q.TryDequeue(ref order));")]
    public Task Points_at_what_is_kept_in_other_ways(string body) => AnalyzerRun.Expect("BQ0105", Source(body));

    // Odd but legal.
    [Theory]
    [InlineData(Each + "{ using var stop = new CancellationTokenSource(); checked { { list.Add([|order|]!); } } }")]
    [InlineData(Each + "{ try { list.Add([|order|]!); } catch (Exception) { throw; } finally { Handle(order!); } }")]
    [InlineData(
        "Order? order = null; again: q.Dequeue(ref order); for (;;) { q.Dequeue(ref order); list.Add([|order|]!); if (list.Count > 9) "
        + "goto again; }")]
    [InlineData(Each + "{ if (order is not { Id: > 3 }) continue; list.Add([|order|]); }")]
    [InlineData(Each + "{ if (order is null) return; list.Add([|order|]); }")]
    [InlineData(Each + "{ foreach (int n in numbers) { list.Add([|order|]!); break; } }")]
    [InlineData(Each + "{ object kept = [|order|]!; if (kept is Order again) list.Add(again); }")]
    [InlineData(Each + "{ var pair = (Id: 1, Order: [|order|]!); pairs.Add(pair); }")]
    [InlineData(Each + "{ List<Order> of = lists[0]; of.Add([|order|]!); }")]
    [InlineData(Each + "foreach (List<Order> of in lists) of.Add([|order|]!);")]
    [InlineData(Each + "{ lines[0].Order = [|order|]; }")]
    [InlineData(Each + "{ void Inner() { list.Add([|order|]!); } Inner(); }")]
    [InlineData(Each + "{ Action a = () => Handle([|order|]!); actions.Add(a); }")]
    [InlineData(Each + "actions.Add(delegate { Handle([|order|]!); });")]
    [InlineData(Each + "{ var made = new { Order = [|order|] }; anything.Add(made); }")]
    [InlineData(Each + "{ places.Add([|order|]?.To!); }")]
    [InlineData(Each + "{ Place to = [|order|]!.To!; places.Add(to); }")]
    [InlineData("Order? order = null; Task loop = Task.Run(() => { while (q.TryDequeue(ref order)) list.Add([|order|]!); });")]
    [InlineData(Each + "_ = Task.Run(async () => { await Task.Yield(); Handle([|order|]!); });")]
    [InlineData(Each + "list = [.. list, [|order|]!];")]
    [InlineData(
        "Order? order = null; var all = System.Collections.Immutable.ImmutableList<Order>.Empty; while (q.TryDequeue(ref order)) all = "
        + "all.Add([|order|]!);")]
    [InlineData(
        "Order? order = null; while (!ct.IsCancellationRequested) { "
        + "if (q.TryDequeue(ref order) && [|order|] is { } sure && map.TryAdd(sure.Id, sure)) Handle(sure); }")]
    public Task Points_at_what_odd_code_keeps(string body) => AnalyzerRun.Expect("BQ0105", Source(body));

    [Theory]
    [InlineData(Each + "{ if (list.Count > 0) { list.Clear(); } list.IndexOf(order!); list.Remove(order!); }")]
    [InlineData(Each + "{ string text = $\"{order}\"; names.Add(text); }")]
    [InlineData(Each + "{ Order mine = order!; order = null; list.Add(mine); }")]
    [InlineData(Each + "{ if (order!.Id == 3) goto done; } done: list.Add(order!);")]
    [InlineData(Each + "{ lock (list) { list.Add(order!); return; } }")]
    [InlineData(Each + "{ try { list.Add(order!); } finally { Handle(order!); } break; }")]
    [InlineData("while (true) { Order? order = null; if (!q.TryDequeue(ref order)) break; list.Add(order!); }")]
    [InlineData(
        "for (;;) { Order? order = null, second = null; q.Dequeue(ref order); q.Dequeue(ref second); list.Add(order!); "
        + "list.Add(second!); }")]
    [InlineData("Action<Order?> take = order => { while (q.TryDequeue(ref order)) Handle(order!); };")]
    [InlineData(Each + "{ bool known = list.Exists(o => ReferenceEquals(o, order)); numbers.Add(known ? 1 : 0); }")]
    [InlineData(Each + "{ var byPlace = new Dictionary<int, Order> { [1] = order! }; Print(byPlace.Values); }")]
    [InlineData(Each + "{ Func<int> id = () => order!.Id; numbers.Add(id()); }")]
    [InlineData(Each + "{ Order[] one = [order!]; Print(one); }")]
    [InlineData(Each + "{ (Order mine, order) = (order!, null); list.Add(mine); }")]
    [InlineData("Order? order = null; int? highest = null; while (q.TryDequeue(ref order)) if (order!.Id > highest) highest = order.Id;")]
    [InlineData(Each + "{ order!.Name = names[0]; order.Lots.Add(3); order.Lots = [.. order.Lots, 4]; order.Stops[0] = order.To!; }")]
    [InlineData(
        Each + "{ using var stop = new CancellationTokenSource(); using var r = stop.Token.Register(static () => { }); Handle(order!); "
        + "}")]
    [InlineData(Each + "{ int[] copy = [.. order!.Lots]; intArrays.Add(copy); }")]
    [InlineData(Each + "{ List<int> copy = order!.Lots.ToList(); intLists.Add(copy); }")]
    [InlineData(Each + "{ foreach (int lot in order!.Lots) numbers.Add(lot); }")]
    [InlineData("Order? order = null; foreach (Order old in list) { q.Dequeue(ref order); list.Add(old); }")]
    [InlineData(
        "Order? order = null; foreach (int n in numbers) { lock (list) { if (!q.TryDequeue(ref order)) throw new Exception(); "
        + "list.Add(order!); order = default; } }")]
    public Task Is_silent_about_odd_code_that_keeps_nothing(string body) => AnalyzerRun.ExpectNone(Source(body));

    // What a message holds is filled again as well.
    [Theory]
    [InlineData(Each + "places.Add([|order|]!.To!);")]
    [InlineData(Each + "_place = [|order|]!.To;")]
    [InlineData(Each + "intLists.Add([|order|]!.Lots);")]
    [InlineData(Each + "places.Add([|order|]!.Stops[0]);")]
    [InlineData(Each + "places.AddRange([|order|]!.Stops);")]
    [InlineData("var lot = default(Lot); while (l.TryDequeue(ref lot)) lots.Add([|lot|]);")]
    public Task Points_at_the_parts_that_are_kept(string body) => AnalyzerRun.Expect("BQ0105", Source(body));

    [Theory]
    [InlineData(Each + "{ if (order!.Id == 3) { list.Add(order); break; } }")]
    [InlineData(Each + "{ if (order!.Id == 3) { _last = order; return; } }")]
    [InlineData(Each + "{ switch (order!.Id) { case 3: list.Add(order); throw new Exception(); } }")]
    [InlineData(Each + "{ var one = new List<Order>(); one.Add(order!); Print(one); }")]
    [InlineData(Each + "{ var one = new Order[1]; one[0] = order!; Print(one); }")]
    [InlineData(Each + "{ var line = new Line(); line.Order = order; Handle(line.Order!); }")]
    [InlineData(Each + "{ List<Order> one = [order!]; Print(one); }")]
    [InlineData(Each + "await Task.Run(() => Handle(order!));")]
    [InlineData(Each + "Task.Run(() => Handle(order!)).Wait();")]
    [InlineData(Each + "Parallel.Invoke(() => Handle(order!), () => { });")]
    [InlineData(Each + "Parallel.ForEach(numbers, n => Handle(order!));")]
    [InlineData(Each + "counts.GetOrAdd(order!.Id, _ => order!.Id);")]
    [InlineData(Each + "{ list.Add(order!); (order, _) = ((Order?)null, 0); }")]
    [InlineData("Order? order = null; Order? spare = null; while (q.TryDequeue(ref order)) { _last = order; Swap(ref order, ref spare); }")]
    [InlineData(Each + "list.Add(Interlocked.Exchange(ref order, null)!);")]
    [InlineData("Order? order = null; Order? last = null; while (q.TryDequeue(ref order)) last = order; Handle(last!);")]
    [InlineData("Trade? trade = null; while (t.TryDequeue(ref trade)) trades.Add(trade!);")]
    [InlineData(Each + "names.Add(order!.Name!);")]
    [InlineData(Each + "versions.Add(order!.Version!);")]
    [InlineData(Each + "places.Add(order!.Copy);")]
    [InlineData(Each + "numbers.AddRange(order!.Lots);")]
    [InlineData(Each + "numbers.Add(order!.Lots[0]);")]
    [InlineData(Each + "list.Add(order!.Clone());")]
    [InlineData(
        "foreach (MappedQueue<Order> one in queues) { (Order? order, int n) = (null, 0); one.Dequeue(ref order); list.Add(order!); "
        + "}")]
    [InlineData(Each + "{ Task work = HandleAsync(order!); await work; }")]
    [InlineData("while (true) { Order order = await q.DequeueAsync(); list.Add(order); }")]
    [InlineData("await foreach (Order order in q.ReadAllAsync()) list.Add(order);")]
    public Task Is_silent_about_what_is_not_filled_again(string body) => AnalyzerRun.ExpectNone(Source(body));

    private static string Source(string body) => $$"""
        using System.Collections.Concurrent;
        using System.IO;
        using System.Linq;
        using System.Threading;
        using System.Threading.Tasks;

        [QueueMessage] public partial class Place { public int Id { get; set; } }
        [QueueMessage]
        public partial class Order
        {
            public int Id { get; set; }
            public string? Name { get; set; }
            public Version? Version { get; set; }
            public Place? To { get; set; }
            public List<int> Lots { get; set; } = [];
            public Place[] Stops { get; set; } = [];
            public Place Copy => new() { Id = To!.Id };
            public Order Clone() => new() { Id = Id };
        }
        [QueueMessage] public partial struct Point { public int X; }
        [QueueMessage] public partial struct Lot { public int X; public List<int>? Numbers; }
        [QueueMessage] public partial record Trade(int Id, string? Name);
        public record Note(Order Order, int Count);
        public record Line { public Order? Order { get; set; } }
        public class Use<T> where T : class, IPackable<T>
        {
            private Order? _last;
            private Place? _place;
            private Order? Last { get; set; }
            private Place[]? Stops { get; set; }
            private event Action? Done;
            private static void Handle(Order order) => Console.WriteLine(order);
            private static void Print(IEnumerable<Order> orders) => Console.WriteLine(orders);
            private static void Swap(ref Order? one, ref Order? other) => (one, other) = (other, one);
            private static Task HandleAsync(Order order) => Task.FromResult(order.Id);
            public {{(body.Contains("await", StringComparison.Ordinal) ? "async Task" : "void")}} Run(
                MappedQueue<Order> q, MappedQueue<Order> other, Subscription<Order> s, MappedQueue<Point> p, MappedQueue<Lot> l,
                MappedQueue<Trade> t, MappedQueue<T> generic, MappedQueue<Order>[] queues, Order? given, Line first,
                MessageProperties properties, Stream log, string path, List<byte[]> many, List<T> these, List<Order> list,
                List<List<Order>> lists, List<(int, Order)> pairs, List<Line> lines, List<Note> noted, List<Point> points, List<Lot> lots,
                List<Trade> trades, List<Place> places,
                List<string> names, List<Version> versions, List<int> numbers, List<int[]> intArrays, List<List<int>> intLists,
                List<object> anything, List<Action> actions, List<Task> tasks, Order[] array, Stack<Order> stack,
                Dictionary<int, Order> map, Dictionary<int, List<Order>> map2, ConcurrentDictionary<int, Order> byId,
                ConcurrentDictionary<int, int> counts, TaskCompletionSource<Order> source, CancellationToken ct,
                System.Threading.Channels.ChannelWriter<Order> channel)
            {
                {{body}}
            }
        }
        """;
}
