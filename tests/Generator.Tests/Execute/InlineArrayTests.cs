namespace BlitQueue.Generator.Tests.Execute;

/// <summary>An [InlineArray] that is a message is packed with all its elements.</summary>
public class InlineArrayTests
{
    private const string Types = """
        global using System.Runtime.CompilerServices;

        [QueueMessage, InlineArray(4)] public partial struct Quad { public int Element; }
        [QueueMessage, InlineArray(4)] public partial struct Names { private string? _name; public int Count => 4; }
        [QueueMessage, InlineArray(3)] public partial struct Strict { [PackInclude] private string _name; }
        [QueueMessage, InlineArray(3)] public partial struct Maybes { private int? _maybe; }
        [QueueMessage] public sealed partial class Item { public static readonly Item Empty = new(); public string? Name { get; set; } }
        [QueueMessage, InlineArray(3)] public partial struct Items { private Item? _item; }
        [QueueMessage, InlineArray(2)] public partial struct Lists { private List<int>? _list; }
        [QueueMessage, InlineArray(2)] public partial struct Tuples { private (int, string) _tuple; }
        [QueueMessage, InlineArray(2)] public partial struct Bools { private bool _bool; }
        [QueueMessage, InlineArray(2)] public partial struct Quads { private Quad _quad; }
        [QueueMessage, InlineArray(2)] public partial struct Of<T> { private T _item; }
        [QueueMessage(Layout = PackLayout.VersionTolerant), InlineArray(2)] public partial struct Numbered {
            [PackOrder(3)] private string? _name; }
        [QueueMessage(Strings = StringEncoding.Utf16), InlineArray(2)] public partial struct Wide { private string? _name; }
        [QueueMessage, InlineArray(2)] public partial struct Custom { [PackWith(typeof(InternedString))] private string? _name; }
        [QueueMessage, InlineArray(2)] public partial struct Auto { public int Number { get; set; } }
        [QueueMessage, InlineArray(2)] public partial struct WithPart {
            private int _number; public int First { readonly get => this[0]; set => this[0] = value; } }

        [QueueMessage]
        public partial class All
        {
            public Quad Quad { get; set; }
            public Names Names;
            public Strict Strict;
            public Maybes Maybes;
            public Items Items;
            public Lists Lists;
            public Tuples Tuples;
            public Bools Bools;
            public Quads Quads;
            public Of<int> Numbers;
            public Of<string> Words;
            public Numbered Numbered;
            public Wide Wide;
            public Custom Custom;
            public Auto Auto;
            public WithPart Part;
            public Quad? None { get; set; }
            public List<Quad>? Many { get; set; }
        }
        """;

    [Fact]
    public void All_elements_come_back() => LoadedAssembly.Run(Types, """
        public static class Probe
        {
            static Quad Of(int a, int b, int c, int d) { Quad quad = default; (quad[0], quad[1], quad[2], quad[3]) = (a, b, c, d);
                return quad; }

            public static void Run()
            {
                var quad = Packer.Unpack<Quad>(Packer.Pack(Of(1, 2, 3, 4)));
                Xunit.Assert.Equal("1234", $"{quad[0]}{quad[1]}{quad[2]}{quad[3]}");

                var all = new All { Quad = Of(5, 6, 7, 8), None = Of(0, 0, 0, 9), Many = [Of(1, 1, 1, 1), Of(2, 2, 2, 2)] };
                (all.Names[0], all.Names[1], all.Names[3]) = ("a", "b", "d");
                (all.Strict[0], all.Strict[1], all.Strict[2]) = ("x", "y", "z");
                (all.Maybes[0], all.Maybes[2]) = (1, 3);
                (all.Items[0], all.Items[1]) = (new() { Name = "i" }, new() { Name = "j" });
                (all.Lists[0], all.Lists[1]) = ([1, 2], [3]);
                (all.Tuples[0], all.Tuples[1]) = ((1, "one"), (2, "two"));
                (all.Bools[0], all.Bools[1]) = (true, true);
                (all.Quads[0], all.Quads[1]) = (Of(1, 2, 3, 4), Of(4, 3, 2, 1));
                (all.Numbers[0], all.Numbers[1]) = (3, 4);
                (all.Words[0], all.Words[1]) = ("v", "w");
                (all.Numbered[0], all.Numbered[1]) = ("n", "m");
                (all.Wide[0], all.Wide[1]) = ("\ud800", "w");
                (all.Custom[0], all.Custom[1]) = ("c", "u");
                (all.Auto[0], all.Auto[1]) = (7, 8);
                (all.Part[0], all.Part[1]) = (5, 6);
                var bytes = Packer.Pack(all);
                var come = Packer.Unpack<All>(bytes)!;
                Xunit.Assert.Equal(Convert.ToHexString(bytes), Convert.ToHexString(Packer.Pack(come)));
                Xunit.Assert.Equal("5678", $"{come.Quad[0]}{come.Quad[1]}{come.Quad[2]}{come.Quad[3]}");
                Xunit.Assert.Equal(("a", "b", null, "d"), (come.Names[0], come.Names[1], come.Names[2], come.Names[3]));
                Xunit.Assert.Equal(("x", "y", "z"), (come.Strict[0], come.Strict[1], come.Strict[2]));
                Xunit.Assert.Equal((1, null, 3), (come.Maybes[0], come.Maybes[1], come.Maybes[2]));
                Xunit.Assert.Equal(("i", "j", null), (come.Items[0]!.Name, come.Items[1]!.Name, come.Items[2]));
                Xunit.Assert.Equal((2, 3), (come.Lists[0]![1], come.Lists[1]![0]));
                Xunit.Assert.Equal(((1, "one"), (2, "two")), (come.Tuples[0], come.Tuples[1]));
                Xunit.Assert.Equal((true, 1, 4), (come.Bools[1], come.Quads[0][0], come.Quads[1][0]));
                Xunit.Assert.Equal((3, 4, "v", "w"), (come.Numbers[0], come.Numbers[1], come.Words[0], come.Words[1]));
                Xunit.Assert.Equal(("n", "m", "\ud800", "w"), (come.Numbered[0], come.Numbered[1], come.Wide[0], come.Wide[1]));
                Xunit.Assert.Equal(
                    ("c", "u", 7, 8, 5, 6), (come.Custom[0], come.Custom[1], come.Auto[0], come.Auto[1], come.Part[0], come.Part[1]));
                Xunit.Assert.Equal((9, 2), (come.None!.Value[3], come.Many![1][3]));

                // What is given is filled: equal strings and messages stay.
                var (name, item, list) = (come.Names[1], come.Items[1], come.Lists[0]);
                all.Items[1]!.Name = "k";
                Packer.Unpack(Packer.Pack(all), ref come);
                Xunit.Assert.Same(name, come!.Names[1]);
                Xunit.Assert.Same(item, come.Items[1]);
                Xunit.Assert.Same(list, come.Lists[0]);
                Xunit.Assert.Equal("k", item!.Name);

                Items shared = default;
                (shared[0], shared[1]) = (item, item);
                Packer.Unpack(Packer.Pack(in all.Items), ref shared);
                Xunit.Assert.Equal(("i", "k"), (shared[0]!.Name, shared[1]!.Name));
            }
        }
        """);

    [Fact]
    public void Another_number_of_elements_is_another_message() => LoadedAssembly.Run("""
        using System.Runtime.CompilerServices;
        [QueueMessage, InlineArray(4)] public partial struct Four { private string? _name; }
        [QueueMessage, InlineArray(2)] public partial struct Two { private string? _name; }
        [QueueMessage] public partial struct None;

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal("#0{_name[4]:list<string>}", Four.Schema.Text);
                Xunit.Assert.NotEqual(Four.Schema.Fingerprint, Two.Schema.Fingerprint);
                Two two = default;
                (two[0], two[1]) = ("a", "b");
                Four four = default;
                four[2] = four[3] = "x";
                Packer.Unpack(Packer.Pack(two), ref four);
                Xunit.Assert.Equal(("a", "b", null, null), (four[0], four[1], four[2], four[3]));
                var refused = Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Two>(Packer.Pack(four)));
                Xunit.Assert.Contains("4 elements are more than the 2", refused.Message);
                Packer.Unpack(Packer.Pack(new None()), ref four);
                Xunit.Assert.Null(four[0]);
            }
        }
        """);

    [Fact]
    public void The_view_shows_them_all() => LoadedAssembly.Run(Types, """
        public static class Probe
        {
            public static void Run()
            {
                Quad quad = default;
                (quad[0], quad[3]) = (7, 9);
                var view = new Quad.View(Packer.Pack(quad));
                Xunit.Assert.Equal((4, 9), (view.Element.Count, view.Element[3]));
                Xunit.Assert.Equal(9, view.ToObject()[3]);
                Items items = default;
                items[1] = new() { Name = "one" };
                Xunit.Assert.Equal("one", new Items.View(Packer.Pack(items))._item[1].Name.ToString());
            }
        }
        """);

    [Fact]
    public async Task A_constructor_cannot_restore_one()
        => Assert.Contains(
            await AnalyzerRun.Diagnostics(
                "[QueueMessage, System.Runtime.CompilerServices.InlineArray(2)] public partial struct Two { private int _number; "
                + "[PackConstructor] public Two(int number) => _number = number; }"),
            diagnostic => diagnostic.Id == "BQ0010");
}
