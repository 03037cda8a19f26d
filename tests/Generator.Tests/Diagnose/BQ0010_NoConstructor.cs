namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0010_NoConstructor
{
    [Fact]
    public async Task Says_what_is_wrong_with_the_constructors()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0010", """
            [QueueMessage] public partial class [|Other|] { public Other(int number) { } public int Id { get; set; } }
            [QueueMessage] public partial class [|Kind|] { public Kind(string id) { } public int Id { get; set; } }
            [QueueMessage] public partial class [|Several|] { public Several(int a) { } public Several(string b) { }
                public int A { get; set; } public string? B { get; set; } }
            [QueueMessage] public partial class Marked { [PackConstructor] public Marked(int [|number|]) { } public int Id { get; set; } }
            [QueueMessage] public partial class Twice { [PackConstructor] public Twice(int id) { } [PackConstructor] public [|Twice|]() { }
                public int Id { get; set; } }
            """);
        Assert.Contains("no constructor has only parameters that match members", messages[0]);
        Assert.Contains("mark one of them [PackConstructor]", messages[2]);
        Assert.Contains("'number'", messages[3]);
    }

    [Fact]
    public Task A_parameter_of_the_types_own_is_no_copy() => AnalyzerRun.ExpectNone("""
        [QueueMessage] public sealed partial class Self(Self? next) { public Self? Next { get; } = next; }
        [QueueMessage] public sealed partial record Copied {
            public Copied() { } public Copied(Copied original) { } public Copied? Original { get; set; } }
        """);

    [Fact]
    public void A_parameter_and_a_member_may_differ_by_underscores() => LoadedAssembly.Run("""
        [QueueMessage]
        public sealed partial class Order(int _id, string? name)
        {
            [PackInclude] private readonly string? _name = name;
            public int Id { get; } = _id;
            public string? Text => _name;
        }

        // A name that is the same without looking at underscores comes first.
        [QueueMessage]
        public sealed partial class Both
        {
            [PackInclude] private int _id;
            public Both(int id) => (_id, Id) = (-1, id);
            public int Id { get; }
            public int Hidden { get => _id; set => _id = value; }
        }

        public static class Probe
        {
            public static void Run()
            {
                Order got = Packer.Unpack<Order>(Packer.Pack(new Order(1, "a")))!;
                Xunit.Assert.Equal((1, "a"), (got.Id, got.Text));
                Both both = Packer.Unpack<Both>(Packer.Pack(new Both(5) { Hidden = 6 }))!;
                Xunit.Assert.Equal((5, 6), (both.Id, both.Hidden));
            }
        }
        """);
}
