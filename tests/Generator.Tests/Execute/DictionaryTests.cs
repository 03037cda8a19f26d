namespace BlitQueue.Generator.Tests.Execute;

public class DictionaryTests
{
    private const string Source = """
        using System.Collections.Concurrent;
        using System.Collections.Frozen;
        using System.Collections.Immutable;
        using System.Collections.ObjectModel;
        using System.Linq;

        [QueueMessage]
        public partial class Every
        {
            public Dictionary<%KV%>? Dictionary { get; set; }
            public SortedDictionary<%KV%>? SortedDictionary { get; set; }
            public SortedList<%KV%>? SortedList { get; set; }
            public OrderedDictionary<%KV%>? OrderedDictionary { get; set; }
            public ConcurrentDictionary<%KV%>? ConcurrentDictionary { get; set; }
            public ReadOnlyDictionary<%KV%>? ReadOnlyDictionary { get; set; }
            public ImmutableDictionary<%KV%>? ImmutableDictionary { get; set; }
            public ImmutableSortedDictionary<%KV%>? ImmutableSortedDictionary { get; set; }
            public IImmutableDictionary<%KV%>? IImmutableDictionary { get; set; }
            public FrozenDictionary<%KV%>? FrozenDictionary { get; set; }
            public IDictionary<%KV%>? IDictionary { get; set; }
            public IReadOnlyDictionary<%KV%>? IReadOnlyDictionary { get; set; }

            public static Every Of(Dictionary<%KV%> all) => new()
            {
                Dictionary = new(all), SortedDictionary = new(all), SortedList = new(all), OrderedDictionary = new(all),
                ConcurrentDictionary = new(all),
                ReadOnlyDictionary = new(all), ImmutableDictionary = all.ToImmutableDictionary(),
                ImmutableSortedDictionary = all.ToImmutableSortedDictionary(),
                IImmutableDictionary = all.ToImmutableDictionary(), FrozenDictionary = all.ToFrozenDictionary(),
                IDictionary = new SortedList<%KV%>(all),
                IReadOnlyDictionary = all,
            };

            public static KeyValuePair<%KV%>[] Entries(object every, System.Reflection.PropertyInfo property)
                => [.. ((IEnumerable<KeyValuePair<%KV%>>)property.GetValue(every)!).OrderBy(entry => entry.Key)];
        }

        public static class Probe
        {
            public static System.Reflection.PropertyInfo[] Members
                => [.. typeof(Every).GetProperties().Where(property => property.Name != "Schema")];

            public static byte[] Pack() => Packer.Pack(Every.Of(%ENTRIES%));

            public static bool TryUnpack(byte[] bytes)
            {
                Every? every = Every.Of(%ENTRIES%);
                try { Packer.Unpack(bytes, ref every); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                var from = Every.Of(%ENTRIES%);
                Every? to = null;
                for (var round = 0; round < 3; round++)
                {
                    Packer.Unpack(Packer.Pack(in from), ref to);
                    foreach (var member in Members)
                        Xunit.Assert.True(Every.Entries(from, member).SequenceEqual(Every.Entries(to!, member)), member.Name);
                }

                var given = to!.Dictionary;
                var empty = Every.Of([]);
                Packer.Unpack(Packer.Pack(in empty), ref to);
                Xunit.Assert.Same(given, to.Dictionary);
                foreach (var member in Members)
                    Xunit.Assert.Empty(Every.Entries(to, member));

                Packer.Unpack(Packer.Pack(new Every()), ref to);
                foreach (var member in Members)
                    Xunit.Assert.Null(member.GetValue(to));
            }
        }
        """;

    [Theory]
    [InlineData("int, int", "new() { [3] = 1, [2] = 5 }")]
    [InlineData("string, decimal?", "new() { [\"b\"] = 1, [\"a\"] = null }")]
    [InlineData("DayOfWeek, string?", "new() { [DayOfWeek.Friday] = \"f\", [DayOfWeek.Monday] = null }")]
    [InlineData("(int, string), Leaf?", "new() { [(1, \"b\")] = new(\"x\"), [(1, \"a\")] = null }")]
    public void Every_dictionary_comes_back(string types, string entries)
        => LoadedAssembly.Run(Of(types, entries), "[QueueMessage] public sealed partial record Leaf(string Name);");

    [Theory]
    [InlineData("byte, int", "new() { [3] = 1, [2] = 5 }")]
    [InlineData("string, string", "new() { [\"b\"] = \"x\", [\"a\"] = \"\" }")]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours(string types, string entries)
    {
        var loaded = LoadedAssembly.Of(Of(types, entries));
        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(12);
        for (int i = 0; i < 2000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            loaded.Call<bool>("TryUnpack", hostile);
        }
    }

    [Fact]
    public void A_given_dictionary_is_filled_and_its_values_are_reused() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Shop { public Dictionary<string, List<Order>>? Orders { get; set; }
            public SortedDictionary<int, Order>? Sorted { get; set; } }
        [QueueMessage] public sealed partial class Order { public int Id { get; set; } }

        public static class Probe
        {
            static Shop Make(params string[] names)
            {
                var shop = new Shop { Orders = [], Sorted = [] };
                foreach (var name in names)
                {
                    shop.Orders.Add(name, [new() { Id = name.Length }]);
                    shop.Sorted.Add(name[0], new() { Id = name[0] });
                }

                return shop;
            }

            public static void Run()
            {
                Shop? shop = null;
                Packer.Unpack(Packer.Pack(Make("a", "b", "c")), ref shop);
                var (dictionary, a, b, c) = (shop!.Orders!, shop.Orders!["a"], shop.Orders["b"], shop.Orders["c"]);
                var (b0, sortedB) = (b[0], shop.Sorted!['b']);

                // Other order, one more, one less, each of them alone and together.
                foreach (var names in (string[][])[["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a", "d"], ["a", "b"], ["b"], ["x", "b"],
                    ["b", "x", "y"], ["y", "b"]])
                {
                    Packer.Unpack(Packer.Pack(Make(names)), ref shop);
                    Xunit.Assert.Same(dictionary, shop.Orders);
                    Xunit.Assert.Equal(names, dictionary.Keys);
                    Xunit.Assert.Same(b, dictionary["b"]);
                    Xunit.Assert.Same(b0, b[0]);
                    Xunit.Assert.Same(sortedB, shop.Sorted['b']);
                    Xunit.Assert.Equal(names.Length, shop.Sorted.Count);
                    foreach (var name in names)
                        Xunit.Assert.Equal((name.Length, (int)name[0]), (dictionary[name][0].Id, shop.Sorted[name[0]].Id));
                }
            }
        }
        """);

    [Fact]
    public void Equal_bytes_into_a_given_dictionary_allocate_nothing() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Shop
        {
            public Dictionary<string, Order>? Orders { get; set; }
            public Dictionary<int, decimal>? Prices { get; set; }
            public Dictionary<DayOfWeek, (int, string)>? Days { get; set; }
            public HashSet<long>? Seen { get; set; }
        }

        [QueueMessage] public sealed partial class Order { public string? Name { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(new Shop
                {
                    Orders = new() { ["x"] = new() { Name = "n" }, ["y"] = new() { Name = "m" } }, Prices = new() { [1] = 2, [3] = 4 },
                    Days = new() { [DayOfWeek.Friday] = (1, "f") }, Seen = [1, 2],
                });
                Shop? shop = null;
                for (var i = 0; i < 50; i++)
                    Packer.Unpack(bytes, ref shop);

                var before = GC.GetAllocatedBytesForCurrentThread();
                Packer.Unpack(bytes, ref shop);
                Xunit.Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
            }
        }
        """);

    [Fact]
    public void Of_a_key_twice_the_last_value_counts_and_a_null_key_is_refused() => LoadedAssembly.Run("""
        using System.Linq;
        [QueueMessage] public partial class Simple { public Dictionary<string, int>? Map { get; set; } }
        [QueueMessage] public partial class Sorted { public SortedDictionary<string, int>? Map { get; set; } }
        [QueueMessage] public partial class Pairs { public List<KeyValuePair<string?, int>>? Map { get; set; } }

        public static class Probe
        {
            // Count and entries of a dictionary; null keys are what a list of pairs can hold and a dictionary cannot.
            static byte[] Bytes(params string?[] keys)
            {
                List<byte> content = [.. BitConverter.GetBytes(keys.Length)];
                foreach (var key in keys)
                {
                    var text = key is null ? [0xFF, 0xFF, 0xFF, 0xFF]
                        : (byte[])[(byte)(4 + key.Length), 0, 0, 0, (byte)key.Length, 0, 0, 0, .. key.Select(c => (byte)c)];
                    content.AddRange([.. text, 7, 0, 0, 0]);
                }

                return [0, 0, 1, 0, .. BitConverter.GetBytes(content.Count), .. content];
            }

            public static void Run()
            {
                Xunit.Assert.Equal(Bytes("a", "b"), Packer.Pack(new Simple { Map = new() { ["a"] = 7, ["b"] = 7 } }));
                Xunit.Assert.Equal(2, Packer.Unpack<Sorted>(Bytes("a", "b"))!.Map!.Count);
                var bad = Bytes("a", null);
                Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Simple>(bad));
                Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Sorted>(bad));
                Simple? given = new() { Map = new() { ["a"] = 1, ["b"] = 2 } };
                Xunit.Assert.Throws<PackException>(() => Packer.Unpack(bad, ref given));

                var twice = Bytes("a", "b", "a");
                twice[^4] = 9;
                Xunit.Assert.Equal([("a", 9), ("b", 7)], Packer.Unpack<Simple>(twice)!.Map!.Select(entry => (entry.Key, entry.Value))
                    .Order());
                Xunit.Assert.Equal([("a", 9), ("b", 7)], Packer.Unpack<Sorted>(twice)!.Map!.Select(entry => (entry.Key, entry.Value)));
                foreach (var first in (string[])["a", "b", "c"])
                {
                    given = new() { Map = new() { [first] = 1, ["a"] = 1, ["x"] = 2 } };
                    Packer.Unpack(twice, ref given);
                    Xunit.Assert.Equal([("a", 9), ("b", 7)], given!.Map!.Select(entry => (entry.Key, entry.Value)).Order());
                }

                Xunit.Assert.True(Simple.View.From(twice).Map.TryGetValue("a", out var viewed) && viewed == 9);
                Xunit.Assert.True(Simple.View.From(twice).Map.TryGetValue("a"u8, out viewed) && viewed == 9);

                Xunit.Assert.Equal("#0{Map:map<string,i32>}", Simple.Schema.Text);
            }
        }
        """);

    [Fact]
    public void Keys_that_become_equal_unpack_with_the_last_value() => LoadedAssembly.Run("""
        using System.Collections.Concurrent;
        using System.Collections.Frozen;
        using System.Collections.Immutable;
        using System.Collections.ObjectModel;
        using System.Linq;

        public sealed class OwnMap : Dictionary<string, int>;
        public sealed class Tags : HashSet<string>;

        [QueueMessage]
        public partial class Maps
        {
            public Dictionary<string, int> Simple { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public SortedDictionary<string, int> Sorted { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public SortedList<string, int> List { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public OrderedDictionary<string, int> Ordered { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public ConcurrentDictionary<string, int> Concurrent { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public IDictionary<string, int> Interface { get; set; } = new Dictionary<string, int>(StringComparer.OrdinalIgnoreCase);
            public OwnMap Own { get; set; } = new();
            public ReadOnlyDictionary<string, int>? ReadOnly { get; set; }
            public ImmutableDictionary<string, int>? Immutable { get; set; }
            public ImmutableSortedDictionary<string, int>? ImmutableSorted { get; set; }
            public FrozenDictionary<string, int>? Frozen { get; set; }
            public ILookup<string, int>? Lookup { get; set; }
            public HashSet<string> Set { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public SortedSet<string> SortedSet { get; set; } = new(StringComparer.OrdinalIgnoreCase);
            public Tags OwnSet { get; set; } = new();
            public ImmutableHashSet<string>? ImmutableSet { get; set; }
            public ImmutableSortedSet<string>? ImmutableSortedSet { get; set; }
            public FrozenSet<string>? FrozenSet { get; set; }
            public ReadOnlySet<string>? ReadOnlySet { get; set; }
        }

        public static class Probe
        {
            static Maps Of(params string[] keys)
            {
                var values = keys.Select((key, i) => KeyValuePair.Create(key, i + 1)).ToArray();
                var own = new OwnMap();
                var tags = new Tags();
                foreach (var (key, value) in values) { own.Add(key, value); tags.Add(key); }
                return new()
                {
                    Simple = new(values), Sorted = new(new Dictionary<string, int>(values), StringComparer.Ordinal),
                    List = new(new Dictionary<string, int>(values), StringComparer.Ordinal),
                    Ordered = new(values), Concurrent = new(values), Interface = new Dictionary<string, int>(values), Own = own,
                    ReadOnly = new(new Dictionary<string, int>(values)), Immutable = values.ToImmutableDictionary(),
                    ImmutableSorted = values.ToImmutableSortedDictionary(StringComparer.Ordinal), Frozen = values.ToFrozenDictionary(),
                    Lookup = values.ToLookup(pair => pair.Key, pair => pair.Value),
                    Set = [.. keys], SortedSet = new(keys, StringComparer.Ordinal), OwnSet = tags, ImmutableSet = [.. keys],
                    ImmutableSortedSet = keys.ToImmutableSortedSet(StringComparer.Ordinal), FrozenSet = keys.ToFrozenSet(),
                    ReadOnlySet = new(new HashSet<string>(keys)),
                };
            }

            static void Check(Maps maps, int count, int last, bool caseToo)
            {
                IEnumerable<(int, int)> all =
                [
                    (maps.Simple.Count, maps.Simple.Values.Last()), (maps.Sorted.Count, maps.Sorted.Values.Last()),
                    (maps.List.Count, maps.List.Values.Last()),
                    (maps.Ordered.Count, maps.Ordered.Values.Last()), (maps.Interface.Count, maps.Interface.Values.Last()),
                ];
                Xunit.Assert.All(all, one => Xunit.Assert.Equal((count, last), one));
                Xunit.Assert.Equal((count, count, count), (maps.Concurrent.Count, maps.Set.Count, maps.SortedSet.Count));
                if (caseToo)
                    return;
                all =
                [
                    (maps.Own.Count, maps.Own.Values.Last()), (maps.ReadOnly!.Count, maps.ReadOnly.Values.Last()),
                    (maps.ImmutableSorted!.Count, maps.ImmutableSorted.Values.Last()),
                ];
                Xunit.Assert.All(all, one => Xunit.Assert.Equal((count, last), one));

                // Which of theirs comes last is their hash codes' to say.
                Xunit.Assert.All([maps.Immutable!.Count, maps.Frozen!.Count], one => Xunit.Assert.Equal(count, one));
                Xunit.Assert.Equal([1, 2], maps.Lookup!.Single());
                Xunit.Assert.All(
                    [maps.OwnSet.Count, maps.ImmutableSet!.Count, maps.ImmutableSortedSet!.Count, maps.FrozenSet!.Count,
                    maps.ReadOnlySet!.Count], one => Xunit.Assert.Equal(count, one));
            }

            public static void Run()
            {
                // Both are U+FFFD in UTF-8.
                var surrogates = Packer.Pack(Of("\uD800", "\uD801"));
                Check(Packer.Unpack<Maps>(surrogates)!, 1, 2, caseToo: false);

                // Into what holds something already, in step with it or not.
                foreach (var given in (string[][])[["\uFFFD"], ["\uFFFD", "x"], ["x"], []])
                {
                    Maps? used = Of(given);
                    Packer.Unpack(surrogates, ref used);
                    Check(used!, 1, 2, caseToo: false);
                }

                // Other for who packs, and the same for who unpacks.
                Check(Packer.Unpack<Maps>(Packer.Pack(Of("A", "a")))!, 1, 2, caseToo: true);
            }
        }
        """);

    [Fact]
    public void Keys_that_only_an_order_takes_for_equal_unpack() => LoadedAssembly.Run("""
        using System.Collections.Immutable;

        public readonly record struct Loose(int Value) : IComparable<Loose> {
            public int CompareTo(Loose other) => (Value / 10).CompareTo(other.Value / 10); }
        [QueueMessage] public partial class Maps
        {
            public ImmutableSortedDictionary<Loose, int>? Immutable { get; set; }
            public SortedDictionary<Loose, int>? Sorted { get; set; }
            public SortedList<Loose, int>? List { get; set; }
            public ImmutableSortedSet<Loose>? Set { get; set; }
        }
        [QueueMessage] public partial class Lists { public Dictionary<Loose, int>? A { get; set; }
            public Dictionary<Loose, int>? B { get; set; } public Dictionary<Loose, int>? C { get; set; }
            public List<Loose>? D { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Dictionary<Loose, int> all = new() { [new(1)] = 1, [new(2)] = 2, [new(30)] = 3 };
                var maps = Packer.Unpack<Maps>(Packer.Pack(new Lists { A = all, B = all, C = all, D = [.. all.Keys] }))!;
                Xunit.Assert.Equal([2, 3], maps.Immutable!.Values);
                Xunit.Assert.Equal([2, 3], maps.Sorted!.Values);
                Xunit.Assert.Equal([2, 3], maps.List!.Values);
                Xunit.Assert.Equal(2, maps.Set!.Count);
            }
        }
        """);

    private static string Of(string types, string entries) => Source.Replace("%KV%", types).Replace("%ENTRIES%", entries);
}
