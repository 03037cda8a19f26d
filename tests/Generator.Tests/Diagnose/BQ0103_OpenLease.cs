namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0103_OpenLease
{
    [Theory]
    [InlineData("var [|lease|] = s.Receive();")]
    [InlineData("var [|lease|] = s.Receive(); Order? order = null; lease.ReadInto(ref order); Console.WriteLine(lease.Position);")]
    [InlineData("Lease<Order> [|lease|]; lease = s.Receive();")]
    [InlineData("if (s.TryReceive(out var [|lease|])) Console.WriteLine(lease.Attempt);")]
    [InlineData("while (s.TryReceive(out Lease<Order> [|lease|])) { }")]
    [InlineData("var [|lease|] = s.Receive(); Console.WriteLine(lease.Read().Id);")]
    [InlineData("[|s.Receive()|];")]
    [InlineData("s.TryReceive(out [|_|]);")]
    [InlineData("Action act = () => { var [|lease|] = s.Receive(); };")]
    public Task Points_at_the_local_or_at_the_call(string body) => AnalyzerRun.Expect("BQ0103", Source(body));

    [Theory]
    [InlineData("using var lease = s.Receive();")]
    [InlineData("using (var lease = s.Receive()) { }")]
    [InlineData("var lease = s.Receive(); using (lease) { }")]
    [InlineData("var lease = s.Receive(); lease.Commit();")]
    [InlineData("if (s.TryReceive(out var lease)) lease.Abandon();")]
    [InlineData("if (s.TryReceive(out var lease)) lease.Dispose();")]
    [InlineData("if (s.TryReceive(out var lease) && lease.Attempt > 3) lease.DeadLetter(\"bad\");")]
    [InlineData("var lease = s.Receive(); Settle(lease);")]
    [InlineData("var lease = s.Receive(); leases.Add(lease);")]
    [InlineData("var lease = s.Receive(); var other = lease; other.Commit();")]
    [InlineData("var lease = s.Receive(); Action later = () => lease.Commit();")]
    [InlineData("var lease = s.Receive(); Action later = lease.Commit;")]
    [InlineData("s.TryReceive(out _stored);")]
    [InlineData("_stored = s.Receive();")]
    [InlineData("leases.Add(s.Receive());")]
    [InlineData("s.Receive().Commit();")]
    [InlineData("var lease = s.Receive(TimeSpan.Zero); lease?.Commit();")]
    [InlineData("var lease = s.Receive(TimeSpan.Zero); if (lease is { } there) there.Commit();")]
    [InlineData("if (s.Receive(TimeSpan.Zero) is { } lease) { using (lease) { } }")]
    public Task Is_silent_where_something_may_end_it(string body) => AnalyzerRun.ExpectNone(Source(body));

    private static string Source(string body) => $$"""
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public static class Later { public static void DeadLetter(this Lease<Order> lease, string reason) => lease.Commit(); }
        public class Use
        {
            private Lease<Order> _stored;
            private static void Settle(Lease<Order> lease) => lease.Commit();
            public void Run(Subscription<Order> s, List<Lease<Order>> leases)
            {
                {{body}}
            }
        }
        """;
}
