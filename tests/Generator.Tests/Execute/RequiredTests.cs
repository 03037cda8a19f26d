namespace BlitQueue.Generator.Tests.Execute;

/// <summary>A new instance keeps the initializer of what an older writer did not know, be the member required or not.</summary>
public class RequiredTests
{
    public static TheoryData<string, PackLayout> Forms { get; } = new()
    {
        { "public required int R { get; init; } = 5;", PackLayout.Sequential },
        { "public required int R { get; init; } = 5;", PackLayout.VersionTolerant },
        { "public required int R { get; set; } = 5;", PackLayout.Sequential },
        { "public required int R { get; set; } = 5;", PackLayout.VersionTolerant },
        { "public required int R { get; set; } = 5;", PackLayout.CircularReference },
        { "public required int R = 5;", PackLayout.Sequential },
        { "public required int R { get; set; } = 5; public string? Late { get; init; } = \"l\";", PackLayout.Sequential },
    };

    [Theory]
    [MemberData(nameof(Forms))]
    public void A_required_members_initializer_counts_where_the_writer_lacked_it(string member, PackLayout layout)
    {
        bool isTolerant = layout == PackLayout.VersionTolerant;
        (string? first, string? second) = isTolerant ? ("[PackOrder(0)] ", "[PackOrder(1)] ") : ("", "");
        string text = member.Contains("Late", StringComparison.Ordinal) ? "order.Late" : "\"l\"";
        foreach (string frame in (string[])["class Order {",
            "class Base { } [QueueMessage(Layout = LAYOUT)] public partial class Order : Base {", "class Of<T> {"])
        {
            string name = frame.StartsWith("class Of", StringComparison.Ordinal) ? "Of<string>" : "Order";
            LoadedAssembly.Run($$"""
                [QueueMessage(Layout = PackLayout.{{layout}})] public partial class Older { {{first}}public int Id { get; set; } }
                [QueueMessage(Layout = PackLayout.{{layout}})] public partial {{frame.Replace(
                    "LAYOUT", "PackLayout." + layout, StringComparison.Ordinal)}} {{first}}public required int Id { get; set; }
                    {{second}}{{member}} [PackIgnore] public required string? Left { get; set; } = "left"; }

                public static class Probe
                {
                    public static void Run()
                    {
                        var bytes = Packer.Pack(new Older { Id = 3 });
                        var order = Packer.Unpack<{{name}}>(bytes)!;
                        Xunit.Assert.Equal((3, 5, "l"), (order.Id, order.R, {{text}}));
                        var whole = Packer.Unpack<{{name}}>(Packer.Pack(new {{name}} { Id = 1, R = 2, Left = "" }))!;
                        Xunit.Assert.Equal((1, 2), (whole.Id, whole.R));
                    }
                }
                """);
        }
    }

    [Fact]
    public void Beside_constructors_too() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Older { public int Id { get; set; } }
        [QueueMessage] public partial record Order(int Id) {
            public required int R { get; init; } = 5; public required string Text { get; set; } = "t"; }
        [QueueMessage] public partial class Given(in int id) { public int Id { get; set; } = id; public required int R { get; set; } = 5; }
        [QueueMessage] public partial class Private { private Private() { R = 6; } public int Id { get; set; }
            public required int R { get; set; } = 5; public static Private Of(int r) => new() { R = r }; }
        [QueueMessage] public partial class Strict { public int Id { get; set; }
            public required string Text { get; set => field = value ?? throw new ArgumentNullException(nameof(value)); } = "t"; }

        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(new Older { Id = 3 });
                var order = Packer.Unpack<Order>(bytes)!;
                Xunit.Assert.Equal((3, 5, "t"), (order.Id, order.R, order.Text));
                var given = Packer.Unpack<Given>(bytes)!;
                Xunit.Assert.Equal((3, 5), (given.Id, given.R));
                Packer.Unpack(bytes, ref given!);
                Xunit.Assert.Equal((3, 0), (given.Id, given.R));
                Xunit.Assert.Equal((3, 6), (Packer.Unpack<Private>(bytes)!.Id, Packer.Unpack<Private>(bytes)!.R));
                Xunit.Assert.Equal(7, Packer.Unpack<Private>(Packer.Pack(Private.Of(7)))!.R);
                Xunit.Assert.Equal("t", Packer.Unpack<Strict>(bytes)!.Text);
                Xunit.Assert.Equal("x", Packer.Unpack<Strict>(Packer.Pack(new Strict { Text = "x" }))!.Text);
            }
        }
        """);
}
