namespace BlitQueue.Generator.Tests.Execute;

/// <summary>What docs/reuse.md promises, row by row.</summary>
public class OverwriteTests
{
    private const string Source = """
        using System.Collections.Immutable;
        using System.Collections.ObjectModel;
        using System.Linq;
        using System.Text;

        [QueueMessage] public sealed partial class Item { public string? Name { get; set; } public int Count { get; set; } }
        [QueueMessage] public sealed partial record Fixed(string Name, int Count);
        public class Names : List<string>;

        [QueueMessage]
        public partial class All
        {
            public Item? Message { get; set; }
            public Fixed? Record { get; set; }
            public string? Text { get; set; }
            public Item[]? Array { get; set; }
            public int[]? Numbers { get; set; }
            public List<Item?>? List { get; set; }
            public List<List<int>>? Lists { get; set; }
            public Names? Names { get; set; }
            public Dictionary<string, Item>? Map { get; set; }
            public SortedDictionary<string, Item>? Sorted { get; set; }
            public HashSet<string>? Set { get; set; }
            public Queue<Item>? Queue { get; set; }
            public ImmutableList<int>? Immutable { get; set; }
            public Tuple<string, Item>? Tuple { get; set; }
            public IList<Item>? Interface { get; set; }
            public IReadOnlyCollection<int>? Other { get; set; }
            public Memory<byte> Memory { get; set; }
            public ArraySegment<int> Segment { get; set; }
            public ReadOnlyMemory<char> ReadOnly { get; set; }
            public StringBuilder? Builder { get; set; }
            public System.Collections.BitArray? Bits { get; set; }
            public Version? Version { get; set; }

            public static All Make(int count, string name) => new()
            {
                Message = new() { Name = name, Count = count }, Record = new(name, count), Text = name, Array = Items(count, name),
                Numbers = [.. Enumerable.Range(0, count)],
                List = [.. Items(count, name)], Lists = [[.. Enumerable.Range(0, count)], [7]],
                Names = [.. Items(count, name).Select(item => item.Name!)],
                Map = Items(count, name).ToDictionary(item => item.Count.ToString()),
                Sorted = new(Items(count, name).ToDictionary(item => item.Count.ToString())),
                Set = [name], Queue = new(Items(count, name)), Immutable = [count], Tuple = new(name, new() { Name = name }),
                Interface = [.. Items(count, name)],
                Other = new LinkedList<int>([count]), Memory = new byte[count], Segment = new int[count], ReadOnly = name.ToCharArray(),
                Builder = new(name),
                Bits = new(count, true), Version = new(1, count),
            };

            public static Item[] Items(int count, string name)
                => [.. Enumerable.Range(0, count).Select(i => new Item { Name = name + i, Count = i })];
        }

        public static class Probe
        {
            static All Fill(All given, All from)
            {
                All? to = given;
                Packer.Unpack(Packer.Pack(in from), ref to);
                Xunit.Assert.Same(given, to);
                Xunit.Assert.Equal(Convert.ToHexString(Packer.Pack(in from)), Convert.ToHexString(Packer.Pack(in to)));
                return to;
            }

            static void Same(object? given, object? now) => Xunit.Assert.Same(given, now);

            static void New(object? given, object? now) => Xunit.Assert.NotSame(given, now);

            public static void Equal()
            {
                var given = Packer.Unpack<All>(Packer.Pack(All.Make(3, "a")))!;
                var old = Packer.Unpack<All>(Packer.Pack(All.Make(3, "a")))!;
                Copy(given, old);
                var now = Fill(given, All.Make(3, "a"));
                Same(old.Message, now.Message);
                New(old.Record, now.Record);
                Same(old.Record!.Name, now.Record!.Name);
                Same(old.Text, now.Text);
                Same(old.Array, now.Array);
                Same(old.Numbers, now.Numbers);
                Same(old.List, now.List);
                Same(old.Lists, now.Lists);
                Same(old.Names, now.Names);
                Same(old.Map, now.Map);
                Same(old.Sorted, now.Sorted);
                Same(old.Set, now.Set);
                Same(old.Queue, now.Queue);
                New(old.Immutable, now.Immutable);
                New(old.Tuple, now.Tuple);
                Same(old.Tuple!.Item1, now.Tuple!.Item1);
                New(old.Tuple.Item2, now.Tuple.Item2);
                Same(old.Interface, now.Interface);
                Same(old.Other, now.Other);
                Same(old.Builder, now.Builder);
                Same(old.Bits, now.Bits);
                Same(old.Version, now.Version);
                Xunit.Assert.False(old.Memory.Span.Overlaps(now.Memory.Span));
                New(old.Segment.Array, now.Segment.Array);
                Xunit.Assert.False(old.ReadOnly.Span.Overlaps(now.ReadOnly.Span));
            }

            public static void Changed()
            {
                foreach (var count in new[] { 5, 2, 0, 4 })
                {
                    var given = All.Make(3, "a");
                    var (message, first, array, element, list, inner, names, map, value, sorted, sortedValue, numbers, builder, bits) =
                        (given.Message, given.List![0], given.Array, given.Array![0], given.List, given.Lists![0], given.Names, given.Map,
                            given.Map!["1"], given.Sorted,
                        given.Sorted!["1"], given.Numbers, given.Builder, given.Bits);
                    var now = Fill(given, All.Make(count, "b"));
                    Same(message, now.Message);
                    Same(list, now.List);
                    Same(inner, now.Lists![0]);
                    Same(names, now.Names);
                    Same(map, now.Map);
                    Same(sorted, now.Sorted);
                    Same(builder, now.Builder);
                    New(array, now.Array);
                    New(numbers, now.Numbers);
                    New(bits, now.Bits);
                    Xunit.Assert.Equal("b", now.Text);
                    Xunit.Assert.Equal("a0", array![0].Name == "b0" ? "a0" : array[0].Name);
                    if (count == 0)
                        continue;
                    Same(first, now.List![0]);
                    Same(element, now.Array![0]);
                    Same(value, now.Map!["1"]);
                    Same(sortedValue, now.Sorted!["1"]);
                }
            }

            public static void Nulls()
            {
                var now = Fill(All.Make(2, "a"), new All());
                foreach (var member in typeof(All).GetProperties()
                    .Where(member => !member.PropertyType.IsValueType && member.Name != "Schema"))
                    Xunit.Assert.Null(member.GetValue(now));
                Fill(now, All.Make(2, "b"));
                Fill(now, new All { List = [null, new(), null], Lists = [] });
                Fill(now, All.Make(3, "c"));
            }

            static void Copy(All from, All to)
            {
                foreach (var member in typeof(All).GetProperties().Where(member => member.CanWrite))
                    member.SetValue(to, member.GetValue(from));
            }
        }
        """;

    [Theory]
    [InlineData("Equal")]
    [InlineData("Changed")]
    [InlineData("Nulls")]
    public void What_is_given_is_overwritten_by_the_rules(string rule) => LoadedAssembly.Of(Source).Call<object>(rule);

    [Fact]
    public void An_instance_at_two_positions_is_filled_for_the_first_alone() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Order
        {
            public Address? Billing { get; set; }
            public Address? Shipping { get; set; }
            public Address? Third { get; set; }
            public List<Address?>? List { get; set; }
            public Address[]? Array { get; set; }
            public Dictionary<int, Address>? Map { get; set; }
            public SortedList<int, Address>? Sorted { get; set; }
            public int[]? Before { get; set; }
            public int[]? After { get; set; }
            public List<int[]>? Rows { get; set; }
        }

        [QueueMessage] public sealed partial class Address { public string? City { get; set; } }

        [QueueMessage]
        public partial class Given(int id) { public int Id { get; set; } = id; public Address? One { get; set; }
            public Address? Two { get; set; } }

        public static class Probe
        {
            static Address Of(string city) => new() { City = city };

            public static void Run()
            {
                var from = new Order
                {
                    Billing = Of("a"), Shipping = Of("b"), Third = Of("c"), List = [Of("d"), Of("e"), Of("f"), null, Of("g")],
                    Array = [Of("h"), Of("i"), Of("j")],
                    Map = new() { [1] = Of("k"), [2] = Of("l"), [3] = Of("m") }, Sorted = new() { [1] = Of("n"), [2] = Of("o") },
                    Before = [1, 2], After = [3, 4], Rows = [[1], [2], [3]],
                };
                for (var round = 0; round < 2; round++)
                {
                    var one = Of("x");
                    int[] row = [0], numbers = [8, 9];
                    Order? to = new()
                    {
                        Billing = one, Shipping = one, Third = one, List = [one, one, one, one, one], Array = [one, one, one],
                        Map = new() { [1] = one, [2] = one, [3] = one },
                        Sorted = new() { [1] = one, [2] = one }, Before = numbers, After = numbers, Rows = [row, row, row],
                    };

                    // What stands in two different messages, or in two collections, is filled twice: that is not looked for.
                    if (round == 0)
                        (to.List, to.Array, to.Map, to.Sorted) = (null, null, null, null);
                    else
                        (to.Billing, to.Shipping, to.Third, to.Array, to.Map, to.Sorted) = (null, null, null, null, null, null);
                    Packer.Unpack(Packer.Pack(in from), ref to);
                    Xunit.Assert.Equal(Convert.ToHexString(Packer.Pack(in from)), Convert.ToHexString(Packer.Pack(in to)));
                    Xunit.Assert.Same(one, round == 0 ? to.Billing : to.List![0]);
                    Xunit.Assert.Same(numbers, to.Before);
                    Xunit.Assert.Same(row, to.Rows![0]);
                }

                var only = Of("x");
                Order? array = new() { Array = [only, only, only] };
                Packer.Unpack(Packer.Pack(in from), ref array);
                Xunit.Assert.Equal("hij", array.Array![0].City + array.Array[1].City + array.Array[2].City);

                foreach (var keys in new int[][] { [1, 2, 3], [3, 2, 1] })
                {
                    var two = Of("x");
                    Order? map = new() { Map = new() { [keys[0]] = two, [keys[1]] = two, [keys[2]] = two } };
                    Packer.Unpack(Packer.Pack(in from), ref map);
                    Xunit.Assert.Equal("klm", map.Map![1].City + map.Map[2].City + map.Map[3].City);
                }

                var three = Of("x");
                Order? sorted = new() { Sorted = new() { [1] = three, [2] = three } };
                Packer.Unpack(Packer.Pack(in from), ref sorted);
                Xunit.Assert.Equal("no", sorted.Sorted![1].City + sorted.Sorted[2].City);

                var shared = Of("x");
                Given? given = new(1) { One = shared, Two = shared };
                Packer.Unpack(Packer.Pack(new Given(2) { One = Of("1"), Two = Of("2") }), ref given);
                Xunit.Assert.Equal(("1", "2"), (given.One!.City, given.Two!.City));
            }
        }
        """);
}
