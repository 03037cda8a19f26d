namespace BlitQueue.Generator.Tests.Emit;

public class ClassTests
{
    [Fact]
    public Task Fills_a_class_in_place() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        [QueueMessage]
        public partial class Order
        {
            public long Id { get; set; }
            public string? Customer { get; set; }
            public DateTime Placed { get; set; }
            public int? Rating { get; set; }
            public string[] Tags { get; set; } = [];
            public byte[]? Blob { get; set; }
            public List<int?>? Counts;
            public List<int[]> Runs { get; set; } = [];
            [PackIgnore] public object? Cache { get; set; }
        }
        """));

    [Fact]
    public Task Constructs_what_cannot_be_changed() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        [QueueMessage]
        public sealed partial class Order(long id, string? customer = "none")
        {
            public long Id { get; } = id;
            public string? Customer { get; } = customer;
            public List<int> Lots { get; init; } = [];
            public required string Venue { get; init; }
            public int Count { get; set; } = 1;
        }
        """));

    [Fact]
    public Task Fills_a_given_instance_although_a_new_one_takes_arguments() => Verify(GeneratorRun.Clean("""
        [QueueMessage]
        public sealed partial class Order
        {
            public Order(long id) => Id = id;
            public long Id { get; set; }
            public List<int>? Lots { get; set; }
        }
        """));

    [Fact]
    public Task Leaves_what_is_required_its_initializer() => Verify(GeneratorRun.Clean("""
        [QueueMessage]
        public sealed partial class Order
        {
            public required string Customer { get; set; }
            [PackIgnore] public required object Cache { get; set; }
        }
        """));

    [Fact]
    public Task Has_nothing_to_do_for_an_empty_class() => Verify(GeneratorRun.Clean("[QueueMessage] public partial class Ping;"));

    [Fact]
    public Task Refuses_to_work_for_a_class_with_errors()
        => Verify(GeneratorRun.Clean("namespace Shop; [QueueMessage] public partial class Order { public object? Any { get; set; } }"));

    [Fact]
    public Task Puts_base_members_first_and_hides_the_base_schema() => Verify(GeneratorRun.Clean("""
        public class Root { public int R { get; set; } }
        [QueueMessage] public partial class Middle : Root { public string? M { get; set; } }
        [QueueMessage] public sealed partial class Leaf : Middle { public int L { get; set; } [PackInclude] private int _own; }
        """));
}
