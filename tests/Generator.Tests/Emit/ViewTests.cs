using BlitQueue.Views;
namespace BlitQueue.Generator.Tests.Emit;

public class ViewTests
{
    [Fact]
    public Task Has_a_property_for_each_kind_of_member() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        public sealed class UriPacker : IPacker<Uri>
        {
            public static void Pack(ref PackWriter writer, scoped in Uri? value) => writer.WriteString(value?.OriginalString);
            public static void Unpack(ref PackReader reader, scoped ref Uri? value) => value = reader.ReadString() is { }
                text ? new Uri(text) : null;
        }

        [QueueMessage]
        public sealed partial class Order
        {
            private enum Secret { None }

            public long Id { get; set; }
            public decimal? Total { get; set; }
            public string? Customer { get; set; }
            public int[]? Codes { get; set; }
            public List<bool?>? Flags { get; set; }
            public List<string>? Notes { get; set; }
            public List<int[]>? Jagged { get; set; }
            public Line? Gift { get; set; }
            public List<Line>? Lines { get; set; }
            public Dot Spot { get; set; }
            public Dot?[]? Way { get; set; }
            [PackWith(typeof(UriPacker))] public Uri? Link { get; set; }
            public Dictionary<string, Line?>? Prices { get; set; }
            public (int Count, DateTime? Until, string? Note) Summary { get; set; }
            public KeyValuePair<Guid, List<int>> Entry { get; set; }
            public double[,]? Heights { get; set; }
            public Version? Version { get; set; }
            [PackInclude] private int Hidden { get; set; }
            [PackInclude] private Secret Unseen { get; set; }
        }

        [QueueMessage] public sealed partial class Line { public string Sku { get; set; } = ""; }

        [QueueMessage] public partial struct Dot { public int X; }
        """));

    [Fact]
    public Task Makes_way_for_names_that_are_taken() => Verify(GeneratorRun.Clean("""
        [QueueMessage]
        public partial class Taken
        {
            public int View { get; set; }
            public int From { get; set; }
            public int IsNull { get; set; }
            public string? PackedView { get; set; }
            public int ToObjectMember { get; set; }
            public new string? ToString { get; set; }
            public int ToObject { get; set; }
            public int @class { get; set; }
        }

        [QueueMessage] public partial class View { public View? Next { get; set; } }

        [QueueMessage] public partial class Screen { public View? Main { get; set; } public List<Taken>? All { get; set; } }

        [QueueMessage] public partial class Derived : Taken { public int More { get; set; } }
        """));

    [Fact]
    public void Leaves_a_name_to_the_members_of_a_unions_cases()
    {
        var run = GeneratorRun.Of(
            "[QueueMessage, PackUnion(1, typeof(Dot))] public abstract partial class Shape; [QueueMessage] public partial class Dot : "
            + "Shape { public int View { get; set; } }");
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Contains("bool TryGetDot(out global::Dot.PackedView view)", run.File("Shape.g.cs"));
    }

    [Fact]
    public void Says_that_it_hides_the_view_of_an_interfaces_base()
    {
        var run = GeneratorRun.Of("""
            [QueueMessage, PackUnion(1, typeof(Dot))] public partial interface IShape;
            [QueueMessage, PackUnion(1, typeof(Dot))] public partial interface IRound : IShape;
            [QueueMessage] public partial class Dot : IRound;
            """);
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Contains("public new readonly ref struct View", run.File("IRound.g.cs"));
    }

    [Fact]
    public void Preserves_the_names_of_a_reference_for_itself()
    {
        var run = GeneratorRun.Of(
            "[QueueMessage(Layout = PackLayout.CircularReference)] public partial class Node { public bool IsReference { get; set; } "
            + "public Node? Next { get; set; } }");
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Contains("bool IsReferenceMember => _message.Read<bool>(0)", run.File("Node.g.cs"));
    }

    [Fact]
    public void Stands_where_the_message_is_refused() => Assert.Contains(
        "ref struct View",
        GeneratorRun.Of("[QueueMessage] public partial class Order { public object? Any { get; set; } }").File("Order.g.cs"));

    [Fact]
    public void Stands_beside_a_message_of_its_name()
    {
        var run = GeneratorRun.Of(
            "[QueueMessage] public partial class Order { public int A { get; set; } [QueueMessage] public partial class View { public int "
            + "B { get; set; } } }");
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Contains("ref struct PackedView", run.File("Order.g.cs"));
        Assert.Contains("ref struct PackedView", run.File("Order.View.g.cs"));
    }

    [Fact]
    public void Views_a_message_of_another_assembly()
    {
        var library = GeneratorRun.Of(
            Compile.Named("Library", "[QueueMessage] public partial class Line { public int Count { get; set; } }"));
        using var image = new MemoryStream();
        Assert.True(library.Output.Emit(image).Success);
        image.Position = 0;

        var run = GeneratorRun.Of(Compile
            .Source(
                "[QueueMessage] public partial class Order { public Line? Gift { get; set; } } [QueueMessage] public partial class "
                + "Special : Line;")
            .AddReferences(Microsoft.CodeAnalysis.MetadataReference.CreateFromStream(image)));
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Contains("global::Line.View Gift", run.File("Order.g.cs"));
        Assert.Contains("new readonly ref struct View", run.File("Special.g.cs"));
    }

    [Fact]
    public void Contains_a_message_without_a_view_as_a_whole() => Assert.Contains(
        "global::BlitQueue.Views.PackedView<global::ByHand> Hand",
        GeneratorRun.Of("""
            public sealed class ByHand : IPackable<ByHand>
            {
                public static MessageSchema Schema { get; } = new("ByHand", []);
                public static void Pack(ref PackWriter writer, scoped in ByHand? value) => writer.WriteNull();
                public static void Unpack(ref PackReader reader, scoped ref ByHand? value) => throw new NotSupportedException();
            }

            [QueueMessage] public partial class Order { public ByHand? Hand { get; set; } }
            """).File("Order.g.cs"));
}
