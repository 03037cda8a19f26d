using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0104_NullMessage
{
    [Theory]
    [InlineData("q.Enqueue([|null|]!);")]
    [InlineData("q.TryEnqueue([|default|]!);")]
    [InlineData("q.Enqueue((Order?)[|null|]);")]
    [InlineData("q.Enqueue([|default(Order)|]!);")]
    [InlineData("q.EnqueueBatch([new Order(), [|null|]!]);")]
    [InlineData("q.EnqueueBatch(new Order[] { [|null|]!, new() });")]
    [InlineData("\n#nullable disable\nq.Enqueue([|null|]);")]
    public Task Points_at_the_null(string body) => AnalyzerRun.Expect("BQ0104", Source(body));

    [Theory]
    [InlineData("q.Enqueue(new Order());")]
    [InlineData("var order = new Order(); q.Enqueue(in order);")]
    [InlineData("p.Enqueue(default);")]
    [InlineData("p.Enqueue(default(Point));")]
    [InlineData("q.EnqueueBatch(null);")]
    [InlineData("q.EnqueueBatch([]);")]
    [InlineData("new Queue<Order?>().Enqueue(null);")]
    public Task Is_silent_about_messages(string body) => AnalyzerRun.ExpectNone(Source(body));

    [Fact]
    public async Task What_may_be_null_is_the_compilers_to_report()
    {
        string source = Source("Order? order = null; q.Enqueue(order); q.Enqueue(in order);");
        await AnalyzerRun.ExpectNone(source);
        Assert.Contains(GeneratorRun.Of(source).Output.GetDiagnostics(), diagnostic
            => diagnostic.Id == "CS8604" && diagnostic.Severity == DiagnosticSeverity.Warning);
    }

    private static string Source(string body) => $$"""
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        [QueueMessage] public partial struct Point { public int X; }
        public static class Use { public static void Run(MappedQueue<Order> q, MappedQueue<Point> p) { {{body}} } }
        """;
}
