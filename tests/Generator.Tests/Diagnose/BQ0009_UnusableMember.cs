using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0009_UnusableMember
{
    [Fact]
    public async Task Points_at_the_member_or_the_message()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0009", """
            public class Base { [PackInclude] private int _hidden; public int Twice { get; set; } public int Use() => _hidden; }
            [QueueMessage] public partial class [|Order|] : Base { public new string? [|Twice|] { get; set; } }
            """);
        Assert.Equal("'_hidden' cannot be packed: it is out of reach in Base", messages[0]);
        Assert.Equal("'Twice' cannot be packed: Order hides that of Base, and members are known by their names", messages[1]);
    }

    [Fact]
    public Task Points_at_what_hides_even_when_it_is_ignored() => AnalyzerRun.Expect("BQ0009", """
        public class Base { public int Twice { get; set; } }
        [QueueMessage] public partial class Order : Base { [PackIgnore] public new string? [|Twice|] { get; set; } }
        """);

    [Fact]
    public async Task Points_at_what_has_a_place_and_is_not_public()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0009", """
            [QueueMessage]
            public partial class Order
            {
                [PackOrder(0)] public int Id { get; set; }
                [PackOrder(1)] internal int [|Count|] { get; set; }
                [PackWith(typeof(InternedString))] private string? [|_name|];
                [PackOrder(2), PackInclude] private string? _other;
                [PackOrder(3), PackIgnore] private string? _cache;
                public string? All() => _name ??= _other ??= _cache ??= "";
            }
            """);
        Assert.Equal("'Count' cannot be packed: it has [PackOrder] but is not public; mark it [PackInclude] as well", messages[0]);
    }

    [Fact]
    public Task Points_at_what_was_included_in_vain() => AnalyzerRun.Expect("BQ0009", """
        [QueueMessage]
        public partial class Order
        {
            [PackInclude] private static int [|Shared|];
            [PackInclude] public int [|SetOnly|] { set { } }
        }
        """);

    [Fact]
    public async Task Points_at_what_has_a_getter_that_is_not_public()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0009", """
            public class Base { public int Z { protected get; set; } }
            [QueueMessage]
            public partial class [|Order|] : Base
            {
                public int [|A|] { private get; set; }
                public int [|B|] { internal get; set; }
                public string? [|C|] { protected get; init; }
                public required int [|D|] { protected internal get; init; }
                public int [|E|] { private protected get => 1; set { } }
                [PackIgnore] public int F { private get; set; }
                [PackInclude] public int G { private get; set; }
                public int H { get; set; }
            }
            [QueueMessage] public partial record struct Slot { public int [|A|] { private get; set; }
                [PackInclude] public int B { private get; init; } }
            """);
        Assert.Equal("'A' cannot be packed: its getter is not public; mark it [PackInclude] to pack it, or [PackIgnore] to leave it out",
            messages[1]);
    }

    [Fact]
    public void Is_silent_where_it_is_included_and_packs_it() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Order
        {
            [PackInclude] public int A { private get; set; }
            [PackInclude] public string? B { internal get; init; }
            [PackIgnore] public int C { private get; set; }
            public override string ToString() => A + B + C;
        }

        public static class Probe
        {
            public static void Run()
                => Xunit.Assert.Equal("7b0", Packer.Unpack<Order>(Packer.Pack(new Order { A = 7, B = "b", C = 8 }))!.ToString());
        }
        """);

    [Fact]
    public async Task Points_at_what_has_no_name_of_its_own()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0009", """
            public interface INamed { string? Name { get; set; } int Size { get; set; } int Left { get; set; } }
            [QueueMessage]
            public partial class Order : INamed
            {
                [PackInclude] string? INamed.[|Name|] { get; set; }
                [PackOrder(1)] int INamed.[|Size|] { get; set; }
                int INamed.Left { get; set; }
                [field: PackInclude] internal int [|Count|] { get; set; }
                [PackInclude] public int [|this|][int at] { get => at; set { } }
                [PackOrder(0)] public int Id { get; set; }
            }
            """);
        Assert.Equal(
            "'INamed.Name' cannot be packed: it implements an interface explicitly, and so has no name of its own; mark the property or "
            + "field that stores its value", messages[0]);
        Assert.Equal("'Count' cannot be packed: its [PackInclude] is on the field behind it; mark the property itself", messages[2]);
    }

    private const string Bases = """
        namespace Lib;
        public class Simple { [PackInclude] private int _a; [PackInclude] internal string? B { get; set; }
            [PackInclude] private protected int C { get; set; } [PackInclude] protected int D; [PackIgnore] private int _e; public int Use()
            => _a + _e; }
        [QueueMessage] public partial class Message { [PackInclude] private int _a; [PackInclude] internal string? B { get; set; }
            [PackInclude] public int C { private get; set; } public int D { get; set; } public int Use() => _a; }
        [QueueMessage] public partial class Setters { private int _a; public int A { get => _a; internal set => _a = value; }
            public int B { get => _a; set => _a = value; } public int Twice => 2 * _a; }
        [QueueMessage, PackUnion(0, typeof(Circle))] public abstract partial class Shape { [PackInclude] internal int _a; }
        [QueueMessage] public sealed partial class Circle : Shape;
        public class Outer<T> { public class Inner { [PackInclude] internal T? _a; } }
        public class Middle : Simple { public string? E { get; set; } }
        public sealed class Last { [PackInclude] private int _a; public int Use() => _a; }
        public class Getters { public int A { private get; set; } [PackIgnore] public int B { internal get; set; }
            public int C { get; set; } }
        """;

    public static TheoryData<string> Forms { get; } = [.. Library.Forms];

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Points_at_a_message_that_would_lose_members_of_another_assembly(string form)
    {
        MetadataReference library = Library.As(form, Bases);
        Assert.Equal(["BQ0009 B", "BQ0009 C", "BQ0009 _a"], await Lost(": Lib.Simple { public int Own { get; set; } }", library));
        Assert.Equal(["BQ0009 B", "BQ0009 C", "BQ0009 _a"], await Lost(": Lib.Middle;", library));
        Assert.Equal(["BQ0009 B", "BQ0009 C", "BQ0009 _a"], await Lost(": Lib.Message;", library));
        Assert.Equal(["BQ0009 _a"], await Lost(": Lib.Shape;", library));
        Assert.Equal(["BQ0009 _a"], await Lost(": Lib.Outer<int>.Inner;", library));
        Assert.Equal(["BQ0009 A"], await Lost(": Lib.Getters;", library));
        Assert.Equal([form == "project" ? "BQ0005 A" : "BQ0009 A"], await Lost(": Lib.Setters;", library));
        Assert.Equal([], await Lost("{ public Lib.Message? Message { get; set; } }", library));
    }

    [Fact]
    public void Is_silent_where_the_assembly_shows_it()
        => LoadedPair.Run(
            """
            [assembly: System.Runtime.CompilerServices.InternalsVisibleTo("User")]
            public class Base { [PackInclude] internal int A { get; set; } [PackInclude] protected string? B; public void Set() => B = "b";
                public string? Get() => B; }
            """,
            """
            [QueueMessage] public partial class Order : Base;

            public static class Probe
            {
                public static void Run()
                {
                    var order = new Order { A = 3 };
                    order.Set();
                    var come = Packer.Unpack<Order>(Packer.Pack(order))!;
                    Xunit.Assert.Equal((3, "b"), (come.A, come.Get()));
                }
            }
            """);

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task Friends_are_told_of_what_is_private_alone(string form)
    {
        MetadataReference library = Library.As(form, """
            [assembly: System.Runtime.CompilerServices.InternalsVisibleTo("Sample")]
            namespace Lib {
                internal class Simple { [PackInclude] private int _a; [PackInclude] internal int B { get; set; } public int Use() => _a; } }
            """);
        Assert.Equal(["BQ0009 _a"], await Lost(": Lib.Simple;", library, "internal"));
    }

    private static async Task<IReadOnlyList<string>> Lost(string declaration, MetadataReference library, string access = "public")
    {
        IReadOnlyList<Diagnostic> found = await AnalyzerRun.Diagnostics(
            Compile.Source($"[QueueMessage] {access} partial class Order {declaration}").AddReferences(library));
        Assert.All(found, diagnostic
            => Assert.Equal("Order", diagnostic.Location.SourceTree!.GetText().ToString(diagnostic.Location.SourceSpan)));
        return [.. found.Select(diagnostic => $"{diagnostic.Id} {diagnostic.GetMessage().Split('\'')[1]}").Order(StringComparer.Ordinal)];
    }
}
