namespace BlitQueue.Generator.Tests.Emit;

/// <summary>The compiler takes file names that differ in letter case for the same one.</summary>
public class HintNameTests
{
    [Fact]
    public void Types_may_differ_in_letter_case_alone() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Order { public int A { get; set; } }
        [QueueMessage] public partial class order { public string? B { get; set; } }
        [QueueMessage] public partial class ORDER { public long C { get; set; } }
        namespace Shop { [QueueMessage] public partial class Order { public int D { get; set; } } }
        namespace shop { [QueueMessage] public partial class Order { public int E { get; set; } } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal(1, Packer.Unpack<Order>(Packer.Pack(new Order { A = 1 }))!.A);
                Xunit.Assert.Equal("2", Packer.Unpack<order>(Packer.Pack(new order { B = "2" }))!.B);
                Xunit.Assert.Equal(3, Packer.Unpack<ORDER>(Packer.Pack(new ORDER { C = 3 }))!.C);
                Xunit.Assert.Equal(4, Packer.Unpack<Shop.Order>(Packer.Pack(new Shop.Order { D = 4 }))!.D);
                Xunit.Assert.Equal(5, Packer.Unpack<shop.Order>(Packer.Pack(new shop.Order { E = 5 }))!.E);
            }
        }
        """);

    [Fact]
    public void Only_those_that_clash_are_numbered()
    {
        var run = GeneratorRun.Of(
            "[QueueMessage] public partial class order;",
            "[QueueMessage] public partial class Order; [QueueMessage] public partial class Other;",
            "[QueueMessage] public partial class ORDER;");
        Assert.Equal(["ORDER.g.cs", "Order.2.g.cs", "Other.g.cs", "order.3.g.cs"], Names(run));

        Assert.Equal(["Order.g.cs", "Other.g.cs", "order.2.g.cs"], Names(run.Edit(2, "")));
    }

    private static IEnumerable<string> Names(GeneratorRun run)
        => run.Result.GeneratedSources.Select(source => source.HintName).Order(StringComparer.Ordinal);
}
