namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0102_NoMessage
{
    private const string Order = "[QueueMessage] public partial class Order { public int Id { get; set; } } public class Customer; public "
        + "struct Dot; ";

    [Theory]
    [InlineData("using var q = MappedQueue<[|Customer|]>.Open(\"x\");")]
    [InlineData("MappedQueue<[|Dot|]>? q = null;")]
    [InlineData("Subscription<[|string|]>? q = null;")]
    [InlineData("Lease<[|Customer|]> lease = default;")]
    [InlineData("Packer.Unpack<[|Customer|]>(new byte[4]);")]
    [InlineData("Packer.Pack<[|List<Order>|]>([]);")]
    [InlineData("Packer.Pack([|new Customer()|]);")]
    [InlineData("Packer.Pack([|\"text\"|]);")]
    [InlineData("var customer = new Customer(); Packer.Pack(in [|customer|]);")]
    [InlineData("var customer = new Customer(); Packer.Unpack(new byte[4], ref [|customer|]);")]
    [InlineData("MappedQueue<[|Dot?|]>? q = null;")]
    public Task Points_at_the_type_or_at_the_message(string body)
        => AnalyzerRun.Expect("BQ0102", Order + "public static class Use { public static void Run() { " + body + " } }");

    [Theory]
    [InlineData("MappedQueue<Order>? q = null; Packer.Pack(new Order()); Packer.Unpack<Order>(new byte[4]);")]
    [InlineData("MappedQueue<Missing>? q = null;")]
    [InlineData("Order? order = null; Packer.Unpack(new byte[4], ref order); Packer.Pack(1, 2, 3);")]
    [InlineData("Other.Pack(1); Other.Pack<Customer>(new());")]
    public Task Is_silent_about_messages(string body)
        => AnalyzerRun.ExpectNone(
            Order + "public static class Other { public static void Pack<T>(T value) { } } public static class Use { public static void "
            + "Run() { " + body + " } }");

    [Fact]
    public Task Leaves_a_marked_type_to_its_own_diagnostic() => AnalyzerRun.Expect("BQ0001", """
        [QueueMessage] public class [|Order|];
        public static class Use { public static MappedQueue<Order> Open() => MappedQueue<Order>.Open("x"); }
        """);

    [Fact]
    public async Task Says_what_to_do()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0102", """
            public class Customer;
            public static class Use<T, U> where U : IPackable<U>
            {
                public static MappedQueue<[|Customer|]>? A;
                public static MappedQueue<[|string|]>? B;
                public static MappedQueue<[|T|]>? C;
                public static MappedQueue<U>? D;
            }
            """);
        Assert.Equal(
            [
                "'Customer' is no message: mark it [QueueMessage] and make it partial",
                "'string' is no message: give it to a message as a member",
                "'T' is no message: constrain it by 'where T : IPackable<T>'",
            ],
            messages);
    }

    [Fact]
    public async Task Names_the_message_of_raw_bytes()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0102", """
            public static class Use
            {
                public static MappedQueue<[|byte[]|]>? A;
                public static MappedQueue<[|ReadOnlyMemory<byte>|]>? B;
                public static MappedQueue<[|int[]|]>? C;
            }
            """);
        Assert.Equal(
            [
                "'byte[]' is no message: use RawMessage, a message that is raw bytes",
                "'ReadOnlyMemory<byte>' is no message: use RawMessage, a message that is raw bytes",
                "'int[]' is no message: give it to a message as a member",
            ],
            messages);
    }

    [Fact]
    public async Task Accepts_what_is_packed_by_hand() => await AnalyzerRun.ExpectNone("""
        public class Manual : IPackable<Manual>
        {
            public static void Pack(ref PackWriter writer, scoped in Manual? value) { }
            public static void Unpack(ref PackReader reader, scoped ref Manual? value) { }
            public static MessageSchema Schema => throw new NotSupportedException();
        }
        public static class Use { public static MappedQueue<Manual>? Q; public static byte[] Run() => Packer.Pack(new Manual()); }
        """);
}
