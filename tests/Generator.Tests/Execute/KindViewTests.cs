using BlitQueue.Generator.Parse.Kinds;
using BlitQueue.Views;

namespace BlitQueue.Generator.Tests.Execute;

/// <summary>Views of maps, tuples, grids and of the framework's own types.</summary>
public class KindViewTests
{
    private const string Order = """
        using System.Collections.Immutable;

        [QueueMessage]
        public partial class Order
        {
            public Dictionary<string, decimal>? Prices { get; set; }
            public SortedDictionary<int, Line?>? Lines { get; set; }
            public Dictionary<DayOfWeek, int?>? Days { get; set; }
            public (int Count, string? Name) Pair { get; set; }
            public (int?, Line?, bool)? Maybe { get; set; }
            public Tuple<string, int>? Old { get; set; }
            public KeyValuePair<string, List<int>> Entry { get; set; }
            public Lazy<string>? Late { get; set; }
            public (int, int, int, int, int, int, string) Seven { get; set; }
            public (int, int, int, int, int, int, int, string) Eight { get; set; }
            public double[,]? Heights { get; set; }
            public string?[,,]? Names { get; set; }
            public bool?[,]? Flags { get; set; }
            public HashSet<int>? Seen { get; set; }
            public ImmutableArray<Line> Fixed { get; set; }
            public Stack<string>? Undo { get; set; }
            public Uri? Link { get; set; }
            public System.Numerics.BigInteger Big { get; set; }
            public System.Numerics.BigInteger? NoBig { get; set; }
            public Version? Version { get; set; }
            public System.Collections.BitArray? Bits { get; set; }
            public System.Globalization.CultureInfo? Culture { get; set; }
            public List<Uri?>? Links { get; set; }
            public List<Dictionary<string, (int, string)[]>?>? Deep { get; set; }
        }

        [QueueMessage] public partial class Line { public string? Sku { get; set; } public int Count { get; set; } }

        public static class Sample
        {
            public static Order Full() => new()
            {
                Prices = new() { ["a"] = 1.5m, ["\u00e9"] = 2, [""] = 3 },
                Lines = new() { [7] = new() { Sku = "s7" }, [9] = null },
                Days = new() { [DayOfWeek.Friday] = 5, [DayOfWeek.Monday] = null },
                Pair = (3, "p"), Maybe = (null, new() { Count = 4 }, true), Old = new("old", 8), Entry = new("k", [1, 2]),
                Late = new("late"),
                Seven = (1, 2, 3, 4, 5, 6, "7"), Eight = (1, 2, 3, 4, 5, 6, 7, "8"),
                Heights = new double[,] { { 1, 2, 3 }, { 4, 5, 6 } },
                Names = new string?[,,] { { { "a", null }, { "b", "" } } },
                Flags = new bool?[,] { { true }, { null } },
                Seen = [5, 6], Fixed = [new() { Count = 1 }, new() { Count = 2 }], Undo = new(["bottom", "top"]),
                Link = new("https://host/a"), Big = System.Numerics.BigInteger.Pow(10, 30), Version = new(1, 2),
                Bits = new([true, false, true]),
                Culture = System.Globalization.CultureInfo.InvariantCulture, Links = [null, new("over/there", UriKind.Relative)],
                Deep = [new() { ["d"] = [(1, "one"), (2, "two")] }, null],
            };
        }

        """;

    [Fact]
    public void Maps_are_gone_through_and_searched() => LoadedAssembly.Run(Order, """
        public static class Probe
        {
            public static void Run()
            {
                var view = new Order.View(Packer.Pack(Sample.Full()));
                var sum = 0m;
                foreach (var (key, price) in view.Prices)
                    sum += price + key.Length;
                Xunit.Assert.Equal((8.5m, 3), (sum, view.Prices.Count));
                Xunit.Assert.True(view.Prices.TryGetValue("\u00e9", out var found) && found == 2 && $"{found}" == "2");
                Xunit.Assert.True(view.Prices.TryGetValue("\u00e9"u8, out found) && found == 2);
                Xunit.Assert.True(view.Prices.TryGetValue("", out found) && found.Value == 3);
                Xunit.Assert.False(view.Prices.TryGetValue("b", out found) || view.Prices.TryGetValue("b"u8, out found)
                    || view.Prices.TryGetValue((string?)null, out found));
                Xunit.Assert.Equal(0, found.Value);

                Xunit.Assert.True(view.Lines.TryGetValue(7, out var line) && line.Sku == "s7");
                Xunit.Assert.True(view.Lines.TryGetValue(9, out line) && line.IsNull);
                Xunit.Assert.False(view.Lines.TryGetValue(8, out line) || !line.IsNull);
                Xunit.Assert.True(view.Days.TryGetValue(DayOfWeek.Friday, out var day) && day == 5 && day.Value == 5);
                Xunit.Assert.True(view.Days.TryGetValue(DayOfWeek.Monday, out day) && day.Value is null);

                foreach (var map in view.Deep)
                {
                    if (map.IsNull)
                        continue;
                    Xunit.Assert.True(map.TryGetValue("d", out var pairs) && pairs.Count == 2 && pairs[1].Item1 == 2
                        && pairs[1].Item2 == "two");
                }

                var none = new Order.View(Packer.Pack(new Order { Prices = [], Seven = (0, 0, 0, 0, 0, 0, "") }));
                Xunit.Assert.True(none.Lines.IsNull && !none.Prices.IsNull && none.Lines.Count == 0 && none.Prices.Count == 0);
                Xunit.Assert.False(none.Lines.TryGetValue(1, out _) || none.Prices.TryGetValue("a", out _));
                foreach (var entry in none.Lines) throw new InvalidOperationException();
            }
        }
        """);

    [Fact]
    public void Tuples_are_viewed_part_by_part() => LoadedAssembly.Run(Order, """
        public static class Probe
        {
            public static void Run()
            {
                var view = new Order.View(Packer.Pack(Sample.Full()));
                int count = view.Pair.Item1;
                var (one, name) = view.Pair;
                Xunit.Assert.True(count == 3 && view.Pair.Item2 == "p" && one == 3 && name == "p" && !view.Pair.IsNull);
                var (nothing, line, flag) = view.Maybe;
                Xunit.Assert.True(nothing.Value is null && line.Count == 4 && flag && view.Maybe.Item3);
                Xunit.Assert.True(view.Old.Item1 == "old" && view.Old.Item2 == 8);
                Xunit.Assert.True(view.Entry.Key == "k" && view.Entry.Value.Span[1] == 2 && !view.Entry.IsNull);
                Xunit.Assert.True(view.Late.Item1 == "late");
                Xunit.Assert.True(view.Seven.Item6 == 6 && view.Seven.Item7 == "7");
                VariableView eight = view.Eight;
                Xunit.Assert.Equal(7 * 4 + 4 + 5, eight.Bytes.Length);

                var none = default(Order.View);
                Xunit.Assert.True(none.Maybe.IsNull && none.Maybe.Item2.IsNull && none.Maybe.Item2.Count == 0 && none.Pair.Item1 == 0
                    && none.Pair.Item2.IsNull);
                Xunit.Assert.True(none.Entry.IsNull && none.Entry.Key.IsNull && none.Late.Item1.IsNull);
            }
        }
        """);

    [Fact]
    public void Grids_are_indexed_and_spanned() => LoadedAssembly.Run(Order, """
        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(Sample.Full());
                var view = new Order.View(bytes);
                var heights = view.Heights;
                Xunit.Assert.True(heights.Rank == 2 && heights.GetLength(0) == 2 && heights.GetLength(1) == 3 && heights.Count == 6);
                Xunit.Assert.True(heights[1, 0] == 4 && heights[0, 2] == 3 && heights.AsSpanView().Span[5] == 6);
                Xunit.Assert.Equal([1, 2, 3, 4, 5, 6], heights.AsSpanView().ToArray()!);
                Xunit.Assert.True(view.Names[0, 0, 0] == "a" && view.Names[0, 0, 1].IsNull && view.Names[0, 1, 1] == ""
                    && view.Names.Rank == 3);
                Xunit.Assert.True(view.Flags[0, 0] == true && view.Flags[1, 0].Value is null && view.Flags.AsSpanView()[1] is null);
                Xunit.Assert.Throws<ArgumentOutOfRangeException>(() => new Order.View(bytes).Heights[0, 3].Value);
                Xunit.Assert.Throws<ArgumentOutOfRangeException>(() => new Order.View(bytes).Heights[-1, 0].Value);
                Xunit.Assert.Throws<ArgumentException>(() => new Order.View(bytes).Heights[0].Value);
                Xunit.Assert.Throws<ArgumentOutOfRangeException>(() => new Order.View(bytes).Heights.GetLength(2));

                var empty = new Order.View(Packer.Pack(new Order { Heights = new double[0, 7] }));
                Xunit.Assert.True(empty.Heights.Count == 0 && !empty.Heights.IsNull && empty.Heights.GetLength(1) == 7
                    && empty.Heights.AsSpanView().Count == 0);
                Xunit.Assert.True(empty.Flags.IsNull && empty.Flags.GetLength(1) == 0 && empty.Flags.AsSpanView().IsNull);
            }
        }
        """);

    [Fact]
    public void Other_types_are_viewed_by_what_they_are_packed_as() => LoadedAssembly.Run(Order, """
        public static class Probe
        {
            public static void Run()
            {
                var view = new Order.View(Packer.Pack(Sample.Full()));
                Xunit.Assert.True(view.Seen.Span[1] == 6 && view.Fixed[1].Count == 2 && view.Undo[0] == "bottom" && view.Undo[1] == "top");
                Xunit.Assert.True(view.Link.Text == "https://host/a" && view.Link.ToObject() == new Uri("https://host/a"));
                Xunit.Assert.True(view.Links[0].IsNull && view.Links[0].ToObject() is null
                    && view.Links[1].ToObject()!.OriginalString == "over/there");
                Xunit.Assert.Equal(System.Numerics.BigInteger.Pow(10, 30), view.Big.ToObject());
                Xunit.Assert.True(view.NoBig.IsNull && view.NoBig.ToObject() == 0);
                Xunit.Assert.Equal(new Version(1, 2), view.Version.ToObject());
                Xunit.Assert.True(view.Bits.ToObject()![2] && view.Bits.Bytes.Length == 5);
                Xunit.Assert.True(view.Culture.Text == "" && view.Culture.ToObject()!.Name == "");
                Xunit.Assert.Throws<NotSupportedException>(() => new Order.View(Packer.Pack(Sample.Full())).Version.Text.Length);
            }
        }
        """);

    [Fact]
    public void Every_type_of_the_framework_can_be_made()
    {
        foreach (string type in ObjectKind.Types)
        {
            LoadedAssembly.Run($"[QueueMessage] public partial class Order {{ public {type}? Any {{ get; set; }} }}", """
                public static class Probe
                {
                    // A content that is none of them but may be one: what is asked is whether the view knows the type.
                    public static void Run()
                    {
                        byte[] bytes = [0, 0, 1, 0, 1, 0, 0, 0, 200];
                        try { _ = new Order.View(bytes).Any.ToObject(); }
                        catch (PackException fault) { Xunit.Assert.Equal("Any", fault.Member); }
                    }
                }
                """);
        }
    }

    [Fact]
    public void A_fault_names_the_path_to_it() => LoadedAssembly.Run(Order, """
        public static class Probe
        {
            public static void Run()
            {
                var hex = Convert.ToHexString(Packer.Pack(Sample.Full()));
                Fault("Prices[1].Key", "0600000001000000C3A9", "0600000003000000C3A9", bytes
                    => { foreach (var (key, _) in new Order.View(bytes).Prices) _ = key.Length; });
                Fault("Lines[0].Value.Sku", "0200000073" + "37", "02000000FF" + "37", bytes
                    => { foreach (var (_, line) in new Order.View(bytes).Lines) line.Sku.ToString(); });
                Fault("Pair.Item2", "0300000005000000" + "01000000" + "70", "0300000005000000" + "02000000" + "70", bytes
                    => new Order.View(bytes).Pair.Item2.ToString());
                Fault("Maybe.Item3", "04000000FFFFFFFF01", "04000000FFFFFFFF09", bytes => _ = new Order.View(bytes).Maybe.Item3.Value);
                Fault("Flags[1,0]", "0200000001000000" + "01010000", "0200000001000000" + "01010500", bytes
                    => new Order.View(bytes).Flags.AsSpanView().ToArray());
                Fault("Names[0,1,0]", "0100000062", "01000000FF", bytes
                    => { foreach (var name in new Order.View(bytes).Names) name.ToString(); });
                Fault("Names", "010000000200000002000000", "010000000200000002000080", bytes => _ = new Order.View(bytes).Names.Count);
                Fault("Heights", "0200000003000000000000", "0200000004000000000000", bytes => _ = new Order.View(bytes).Heights.Count);
                Fault("Deep[0][0].Value[1].Item2", "0300000074776F", "03000000FF776F", bytes
                    => new Order.View(bytes).Deep[0].TryGetValue("d", out var pairs).Equals(pairs[1].Item2.ToString()));
                Fault("Fixed[1].Count", "0400010002000000FFFFFFFF", "03000100020000FFFFFFFF00", bytes
                    => _ = new Order.View(bytes).Fixed[1].Count);

                void Fault(string member, string good, string bad, Action<byte[]> look)
                {
                    Xunit.Assert.True(hex.Contains(good), member + " is not in " + hex);
                    var bytes = Convert.FromHexString(hex.Replace(good, bad));
                    var fault = Xunit.Assert.Throws<PackException>(() => look(bytes));
                    Xunit.Assert.Equal(("Order", member), (fault.MessageName, fault.Member));
                    Xunit.Assert.StartsWith($"Order.{member}: ", fault.Message);
                    var whole = Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Order>(bytes));
                    Xunit.Assert.Equal((member, fault.Offset), (whole.Member, whole.Offset));
                    Xunit.Assert.Equal((whole.Member, whole.Offset), Xunit.Assert.Throws<PackException>(
                        () => new Order.View(bytes).ToObject()) is var copied ? (copied.Member, copied.Offset) : default);
                }
            }
        }
        """);
}
