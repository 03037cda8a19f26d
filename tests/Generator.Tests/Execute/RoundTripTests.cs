namespace BlitQueue.Generator.Tests.Execute;

public class RoundTripTests
{
    [Fact]
    public void Every_value_comes_back() => LoadedAssembly.Run("""
        public enum Color : short { Red, Green = 7 }

        public struct Pair { public int A; public float B; }

        [QueueMessage]
        public partial class Values
        {
            public bool Bool { get; set; }
            public byte Byte { get; set; }
            public sbyte SByte { get; set; }
            public short Short { get; set; }
            public ushort UShort { get; set; }
            public char Char { get; set; }
            public int Int { get; set; }
            public uint UInt { get; set; }
            public long Long { get; set; }
            public ulong ULong { get; set; }
            public float Float { get; set; }
            public double Double { get; set; }
            public Half Half { get; set; }
            public Int128 Int128 { get; set; }
            public UInt128 UInt128 { get; set; }
            public decimal Decimal { get; set; }
            public Guid Guid { get; set; }
            public DateTime DateTime { get; set; }
            public DateTimeOffset DateTimeOffset { get; set; }
            public TimeSpan TimeSpan { get; set; }
            public DateOnly DateOnly { get; set; }
            public TimeOnly TimeOnly { get; set; }
            public System.Text.Rune Rune { get; set; }
            public Color Color { get; set; }
            public Pair Pair { get; set; }
            public System.Numerics.Vector3 Vector { get; set; }
            public int? Some { get; set; }
            public decimal? None { get; set; }
            public Color? NullableColor { get; set; }
            public Pair? NullablePair { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var from = new Values
                {
                    Bool = true, Byte = 1, SByte = -2, Short = -3, UShort = 4, Char = 'x', Int = -5, UInt = 6, Long = -7, ULong = 8,
                    Float = 1.5f, Double = 2.5, Half = (Half)3.5, Int128 = -9, UInt128 = UInt128.MaxValue, Decimal = 12.34m,
                    Guid = Guid.NewGuid(), DateTime = DateTime.UtcNow, DateTimeOffset = new(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(2)),
                    TimeSpan = TimeSpan.FromDays(3), DateOnly = new(2026, 2, 3), TimeOnly = new(1, 2, 3), Rune = new('y'),
                    Color = Color.Green,
                    Pair = new() { A = 1, B = 2 }, Vector = new(1, 2, 3), Some = 42, None = null, NullableColor = Color.Green,
                    NullablePair = new Pair { A = 3, B = 4 },
                };
                var to = Packer.Unpack<Values>(Packer.Pack(in from))!;
                foreach (var property in typeof(Values).GetProperties())
                    Xunit.Assert.Equal(property.GetValue(from), property.GetValue(to));
            }
        }
        """);

    [Fact]
    public void Every_sequence_comes_back() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Sequences
        {
            public int[]? Ints { get; set; }
            public List<int>? IntList { get; set; }
            public bool[]? Bools { get; set; }
            public decimal[]? Decimals { get; set; }
            public int?[]? NullableInts { get; set; }
            public List<DateTime?>? NullableDates { get; set; }
            public string[]? Strings { get; set; }
            public List<string?>? StringList { get; set; }
            public List<int[]>? Jagged { get; set; }
            public int[][]? JaggedArray { get; set; }
            public List<List<string>>? Deep { get; set; }
            public Leaf?[]? Leaves { get; set; }
            public List<Leaf>? LeafList { get; set; }
            public Dot[]? Dots { get; set; }
            public List<Dot?>? NullableDots { get; set; }
            public System.Numerics.Vector3[]? Vectors { get; set; }
            public DayOfWeek[]? Days { get; set; }
        }

        [QueueMessage] public sealed partial class Leaf { public string? Name { get; set; } }

        [QueueMessage] public partial struct Dot { public int X; public string? Label; }

        public static class Probe
        {
            public static void Run()
            {
                var from = new Sequences
                {
                    Ints = [1, 2, 3], IntList = [4, 5], Bools = [true, false], Decimals = [1.5m], NullableInts = [1, null, 3],
                    NullableDates = [null, DateTime.UnixEpoch], Strings = ["a", "", "\u00e9\u4e2d"], StringList = ["x", null],
                    Jagged = [[1], [], [2, 3]], JaggedArray = [[], [7]], Deep = [["p", "q"], []],
                    Leaves = [new() { Name = "n" }, null], LeafList = [new() { Name = "m" }], Dots = [new() { X = 1, Label = "l" }],
                    NullableDots = [null, new Dot { X = 2 }], Vectors = [new(1, 2, 3)], Days = [DayOfWeek.Friday],
                };
                var to = Packer.Unpack<Sequences>(Packer.Pack(in from))!;
                Xunit.Assert.Equal(from.Ints, to.Ints);
                Xunit.Assert.Equal(from.IntList, to.IntList);
                Xunit.Assert.Equal(from.Bools, to.Bools);
                Xunit.Assert.Equal(from.Decimals, to.Decimals);
                Xunit.Assert.Equal(from.NullableInts, to.NullableInts);
                Xunit.Assert.Equal(from.NullableDates, to.NullableDates);
                Xunit.Assert.Equal(from.Strings, to.Strings);
                Xunit.Assert.Equal(from.StringList, to.StringList);
                Xunit.Assert.Equal(from.Jagged, to.Jagged);
                Xunit.Assert.Equal(from.JaggedArray, to.JaggedArray);
                Xunit.Assert.Equal(from.Deep, to.Deep);
                Xunit.Assert.Equal("n", to.Leaves![0]!.Name);
                Xunit.Assert.Null(to.Leaves[1]);
                Xunit.Assert.Equal("m", to.LeafList![0].Name);
                Xunit.Assert.Equal(from.Dots, to.Dots);
                Xunit.Assert.Equal(from.NullableDots, to.NullableDots);
                Xunit.Assert.Equal(from.Vectors, to.Vectors);
                Xunit.Assert.Equal(from.Days, to.Days);

                var empty = Packer.Unpack<Sequences>(Packer.Pack(new Sequences()))!;
                foreach (var property in typeof(Sequences).GetProperties())
                    if (property.Name != "Schema") Xunit.Assert.Null(property.GetValue(empty));
            }
        }
        """);

    [Fact]
    public void Null_is_a_root_and_a_member() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Node { public int Value { get; set; } public Node? Next { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Null(Packer.Unpack<Node>(Packer.Pack<Node>(null)));
                var node = Packer.Unpack<Node>(Packer.Pack(new Node { Value = 1, Next = new() { Value = 2 } }))!;
                Xunit.Assert.Equal(2, node.Next!.Value);
                Xunit.Assert.Null(node.Next.Next);
            }
        }
        """);

    [Fact]
    public void Null_into_a_struct_is_refused() => LoadedAssembly.Run("""
        [QueueMessage] public partial struct Dot { public int X; }

        public static class Probe
        {
            public static void Run() => Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Dot>([0xFF, 0xFF, 0xFF, 0xFF]));
        }
        """);

    [Fact]
    public void A_constructor_takes_one_of_the_types_own() => LoadedAssembly.Run("""
        [QueueMessage] public sealed partial class Self(Self? next) { public Self? Next { get; } = next; }
        [QueueMessage] public sealed partial record Copied { public int Id { get; set; } public Copied? Original { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var self = Packer.Unpack<Self>(Packer.Pack(new Self(new Self(null))))!;
                Xunit.Assert.NotNull(self.Next);
                Xunit.Assert.Null(self.Next!.Next);
                var copied = Packer.Unpack<Copied>(Packer.Pack(new Copied { Id = 1, Original = new Copied { Id = 2 } }))!;
                Xunit.Assert.Equal((1, 2), (copied.Id, copied.Original!.Id));
            }
        }
        """);

    [Fact]
    public void Utf16_preserves_lone_surrogates() => LoadedAssembly.Run("""
        [QueueMessage(Strings = StringEncoding.Utf16)]
        public partial class Text { public string? One { get; set; } public List<string>? Many { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var text = Packer.Unpack<Text>(Packer.Pack(new Text { One = "a\uD800b", Many = ["\uDC00"] }))!;
                Xunit.Assert.Equal("a\uD800b", text.One);
                Xunit.Assert.Equal("\uDC00", text.Many![0]);
            }
        }
        """);

    [Fact]
    public void A_derived_instance_is_refused_rather_than_cut() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Base { public int A { get; set; } }

        public class Derived : Base { public int B { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var thrown = Xunit.Assert.Throws<PackException>(() => Packer.Pack<Base>(new Derived()));
                Xunit.Assert.Contains("Derived", thrown.Message);
            }
        }
        """);

    [Fact]
    public void Members_that_are_references_take_part_where_they_are_included() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Order
        {
            private int _count;
            private string? _text;
            private List<int>? _numbers;
            [PackInclude] public ref int Count => ref _count;
            [PackInclude] public ref string? Text => ref _text;
            [PackInclude] private ref List<int>? Numbers => ref _numbers;
            public ref int Other => ref _count;
            public List<int>? Got => _numbers;
            public void Take(List<int> numbers) => _numbers = numbers;
        }

        public static class Probe
        {
            public static void Run()
            {
                var given = new Order { };
                given.Count = 1;
                given.Text = "a";
                given.Take([1, 2]);
                Order? got = Packer.Unpack<Order>(Packer.Pack(given));
                Xunit.Assert.Equal((1, "a"), (got!.Count, got.Text));
                Xunit.Assert.Equal([1, 2], got.Got!);
                List<int> numbers = got.Got!;
                Packer.Unpack(Packer.Pack(given), ref got);
                Xunit.Assert.Same(numbers, got!.Got);
                Xunit.Assert.Equal(3, Order.Schema.Members.Count);
            }
        }
        """);
}
