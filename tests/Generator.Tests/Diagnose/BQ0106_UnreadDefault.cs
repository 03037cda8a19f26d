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

    [Theory]
    [InlineData("MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\");", "")]
    [InlineData("readonly MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\", new QueueOptions { Capacity = 9 });", "")]
    [InlineData("readonly MappedQueue<Order> _q;", "_q = MappedQueue<Order>.Open(\"q\");")]
    [InlineData("static MappedQueue<Order>? _q = null;", "_q = MappedQueue<Order>.OpenExpress(\"q\"); _q?.Dispose();")]
    public Task Points_at_the_first_named_subscription_of_a_field(string field, string constructor) =>
        AnalyzerRun.Expect("BQ0106", InField(field, constructor, "var s = [|_q.Subscribe(\"a\")|]; _q.Subscribe(\"b\").Dispose();"));

    [Theory]
    [InlineData("MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\");", "", "_q.TryDequeue(out var o);")]
    [InlineData("MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\");", "", "_q.Subscribe(\"default\").Dispose();")]
    [InlineData("MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\");", "", "Console.WriteLine(_q);")]
    [InlineData("MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\");", "", "MappedQueue<Order> other = _q;")]
    [InlineData("MappedQueue<Order> _q;", "_q = Make();", "")]
    [InlineData(
        "MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\", new QueueOptions { CreateDefaultSubscription = false });", "", "")]
    public Task Is_silent_about_a_field_that_may_be_read_or_has_none(string field, string constructor, string more) =>
        AnalyzerRun.ExpectNone(InField(field, constructor, "_q.Subscribe(\"a\").Dispose(); " + more));

    [Fact]
    public Task Is_silent_about_a_field_that_others_see() => AnalyzerRun.ExpectNone(
        InField("MappedQueue<Order> _q = MappedQueue<Order>.Open(\"q\");", "", "_q.Subscribe(\"a\").Dispose();")
            .Replace("private MappedQueue", "internal MappedQueue", StringComparison.Ordinal));

    [Theory]
    [InlineData("services.AddBlitQueue<Order>(\"q\").[|AddConsumer<Mail>(\"a\")|];")]
    [InlineData("services.AddBlitQueue<Order>(\"q\", o => o.Path = name).[|AddConsumer<Mail>(\"a\")|];")]
    [InlineData("services.AddBlitQueue<Order>(\"q\", o => o.Path = \"p\").[|AddBatchConsumer<Mails>(\"a\")|].AddConsumer<Mail>(\"b\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\", null).[|AddConsumer<Mail>(\"a\", c => c.Concurrency = 2)|].Services.ToString();")]
    [InlineData("var q = services.AddBlitQueue<Order>(\"q\"); q.[|AddConsumer<Mail>(\"a\")|]; q.AddConsumer<Mail>(\"b\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\"); services.[|AddBlitQueueConsumer<Order, Mail>(\"q\", \"a\")|];")]
    [InlineData(
        "services.AddBlitQueue<Order>(\"q\").[|AddConsumer<Mail>(\"a\")|]; services.AddBlitQueue<Order>(\"other\").AddConsumer<Mail>();")]
    [InlineData("Action<IServiceCollection> add = s => s.AddBlitQueue<Order>(\"q\").[|AddConsumer<Mail>(\"a\")|];")]
    public async Task Points_at_the_first_named_consumer_of_a_host(string body)
    {
        string message = Assert.Single(await AnalyzerRun.Expect("BQ0106", InHost(body)));
        Assert.StartsWith("'q' is consumed", message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>();")]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"default\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"a\").AddBatchConsumer<Mails>();")]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(name);")]
    [InlineData("services.AddBlitQueue<Order>(name).AddConsumer<Mail>(\"a\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\", o => o.CreateDefaultSubscription = false).AddConsumer<Mail>(\"a\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\", o => { o.CreateDefaultSubscription = false; }).AddConsumer<Mail>(\"a\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\", Set).AddConsumer<Mail>(\"a\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\", o => Set(o)).AddConsumer<Mail>(\"a\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"a\"); services.AddBlitQueueConsumer<Order, Mail>(\"q\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"a\"); services.AddBlitQueue<Order>(\"q\", Set);")]
    [InlineData("More(services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"a\"));")]
    [InlineData("var q = services.AddBlitQueue<Order>(\"q\"); q.AddConsumer<Mail>(\"a\"); More(q);")]
    [InlineData("var q = services.AddBlitQueue<Order>(\"q\"); q.AddConsumer<Mail>(\"a\"); Adder = q.AddConsumer<Mail>(\"b\");")]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"a\"); given.TryDequeue(out var next);")]
    [InlineData("services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"a\"); given.Subscribe(name).Dispose();")]
    public Task Is_silent_about_a_host_that_may_read_it_or_has_none(string body) => AnalyzerRun.ExpectNone(InHost(body));

    private const string NamedAlone = "services.AddBlitQueue<Order>(\"q\").AddConsumer<Mail>(\"a\");";

    // What another method of the project says; the queue is added with a consumer of a named subscription alone.
    [Theory]
    [InlineData("s.AddBlitQueueConsumer<Order, Mail>(\"q\");")]
    [InlineData("s.AddBlitQueueConsumer<Order, Mail>(\"q\", \"default\");")]
    [InlineData("s.AddBlitQueueBatchConsumer<Order, Mails>(\"q\", configure: c => c.BatchSize = 9);")]
    [InlineData("s.Configure<BlitQueueOptions>(\"q\", o => o.CreateDefaultSubscription = false);")]
    [InlineData("s.PostConfigureAll<BlitQueueOptions>(o => { o.CreateDefaultSubscription = false; });")]
    [InlineData("s.AddOptions<BlitQueueOptions>(\"q\").Configure(o => o.CreateDefaultSubscription = false);")]
    public Task Is_silent_about_a_host_whose_other_code_reads_it_or_leaves_it_out(string other) =>
        AnalyzerRun.ExpectNone(InHost(NamedAlone) + $$"""
            public static class Module
            {
                public static void AddMail(this IServiceCollection s) { {{other}} }
            }
            """);

    [Fact]
    public Task Points_at_a_host_whose_other_code_adds_named_consumers_alone() => AnalyzerRun.Expect(
        "BQ0106", InHost(NamedAlone.Replace("AddConsumer<Mail>(\"a\")", "[|AddConsumer<Mail>(\"a\")|]", StringComparison.Ordinal)) + """
            public static class Module
            {
                public static void AddMail(this IServiceCollection s) => s.AddBlitQueueConsumer<Order, Mail>("q", "b");
            }
            """);

    private static string InHost(string body) => $$"""
        using System.Threading; using System.Threading.Tasks; using BlitQueue.Hosting; using Microsoft.Extensions.DependencyInjection;
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public class Mail : IQueueHandler<Order>
        {
            public ValueTask HandleAsync(Order message, MessageContext context, CancellationToken token) => default;
        }
        public class Mails : IQueueBatchHandler<Order>
        {
            public ValueTask HandleAsync(IReadOnlyList<QueueDelivery<Order>> batch, CancellationToken token) => default;
        }
        public class Use
        {
            public BlitQueueBuilder<Order>? Adder;
            private static void Set(BlitQueueOptions options) { }
            private static void More(BlitQueueBuilder<Order> builder) { }
            public void Run(IServiceCollection services, MappedQueue<Order> given, string name) { given.Enqueue(new Order()); {{body}} }
        }
        """;

    private static string InField(string field, string constructor, string body) => $$"""
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public partial class Use
        {
            private {{field}}
            private static MappedQueue<Order> Make() => MappedQueue<Order>.Open("q");
            public Use() { {{constructor}} }
            public void Send() => _q!.Enqueue(new Order());
        }
        public partial class Use
        {
            public void Run() { {{body}} }
        }
        """;

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
