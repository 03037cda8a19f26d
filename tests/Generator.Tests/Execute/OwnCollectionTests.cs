namespace BlitQueue.Generator.Tests.Execute;

public class OwnCollectionTests
{
    private const string Types = """
        using System.Collections;
        using System.Collections.ObjectModel;
        using System.Linq;

        [QueueMessage] public sealed partial record Item(string? Name, int Count);

        public class Names : List<string>;
        public class Numbers : List<int> { public new void Add(int number) { if (!Contains(number)) base.Add(number); } }
        public class Watched : ObservableCollection<Item> {
            public int Inserted; protected override void InsertItem(int index, Item item) { Inserted++; base.InsertItem(index, item); } }
        public class Catalogue : KeyedCollection<string, Item> { protected override string GetKeyForItem(Item item) => item.Name!; }
        public class Backlog(int capacity) : Queue<Item>(capacity);
        public class Undo : Stack<int>;
        public class Longest : SortedSet<string> { public Longest() : base(Comparer<string>.Create((x, y) => y.Length - x.Length)) { } }
        public class NoCase : Dictionary<string, int> { public NoCase() : base(StringComparer.OrdinalIgnoreCase) { } }
        public class Urgent : PriorityQueue<string, int> { public Urgent() : base(Comparer<int>.Create((x, y) => y.CompareTo(x))) { } }

        public class Bag<T> : ICollection<T>
        {
            private readonly List<T> _items = [];
            public int Count => _items.Count;
            public bool IsReadOnly { get; private set; }
            public void Add(T item) => _items.Add(item);
            public void Seal() => IsReadOnly = true;
            void ICollection<T>.Clear() => _items.Clear();
            bool ICollection<T>.Contains(T item) => _items.Contains(item);
            void ICollection<T>.CopyTo(T[] array, int index) => _items.CopyTo(array, index);
            bool ICollection<T>.Remove(T item) => _items.Remove(item);
            public IEnumerator<T> GetEnumerator() => _items.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }

        public sealed class Steps : IEnumerable<(int, string)>
        {
            private readonly List<(int, string)> _steps = [];
            public void Add((int, string) step) => _steps.Add(step);
            IEnumerator<(int, string)> IEnumerable<(int, string)>.GetEnumerator() => _steps.GetEnumerator();
            public IEnumerator GetEnumerator() => throw new InvalidOperationException("hidden");
        }

        public struct Row : IEnumerable<string>
        {
            private List<string>? _cells;
            public void Add(string cell) => (_cells ??= []).Add(cell);
            public readonly IEnumerator<string> GetEnumerator() => (_cells ?? []).GetEnumerator();
            readonly IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }

        public sealed class Table<K, V> : IDictionary<K, V> where K : notnull
        {
            private readonly SortedDictionary<K, V> _entries = [];
            public V this[K key] { get => _entries[key]; set => _entries[key] = value; }
            public ICollection<K> Keys => _entries.Keys;
            public ICollection<V> Values => _entries.Values;
            public int Count => _entries.Count;
            public bool IsReadOnly => false;
            public void Add(K key, V value) { if (value is -1L) throw new InvalidOperationException("No -1"); _entries.Add(key, value); }
            public bool ContainsKey(K key) => _entries.ContainsKey(key);
            public bool Remove(K key) => _entries.Remove(key);
            public bool TryGetValue(K key, [System.Diagnostics.CodeAnalysis.MaybeNullWhen(false)] out V value)
                => _entries.TryGetValue(key, out value);
            public void Add(KeyValuePair<K, V> entry) => _entries.Add(entry.Key, entry.Value);
            public void Clear() => _entries.Clear();
            public bool Contains(KeyValuePair<K, V> entry) => _entries.Contains(entry);
            public void CopyTo(KeyValuePair<K, V>[] array, int index) => _entries.CopyTo(array, index);
            public bool Remove(KeyValuePair<K, V> entry) => _entries.Remove(entry.Key);
            public IEnumerator<KeyValuePair<K, V>> GetEnumerator() => _entries.GetEnumerator();
            IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
        }

        [QueueMessage]
        public partial class Shop
        {
            public Names? Names { get; set; }
            public Numbers? Numbers { get; set; }
            public Watched? Watched { get; set; }
            public Catalogue? Catalogue { get; set; }
            public Backlog? Backlog { get; set; }
            public Undo? Undo { get; set; }
            public Longest? Longest { get; set; }
            public NoCase? NoCase { get; set; }
            public Urgent? Urgent { get; set; }
            public Bag<Item?>? Bag { get; set; }
            public List<Bag<Bag<int>>>? Bags { get; set; }
            public Steps? Steps { get; set; }
            public Row Row { get; set; }
            public Row? Maybe { get; set; }
            public Table<int, long>? Table { get; set; }

            public static Shop Make()
            {
                var urgent = new Urgent();
                urgent.Enqueue("a", 1);
                urgent.Enqueue("b", 2);
                var backlog = new Backlog(2);
                backlog.Enqueue(new("q", 1));
                backlog.Enqueue(new("r", 2));
                var undo = new Undo();
                undo.Push(1);
                undo.Push(2);
                return new()
                {
                    Names = ["x", "y"], Numbers = [3, 4], Watched = [new("w", 1), new("v", 2)], Catalogue = [new("k", 5)],
                    Backlog = backlog, Undo = undo,
                    Longest = ["a", "ccc", "bb"], NoCase = new() { ["A"] = 1 }, Urgent = urgent, Bag = [null, new("i", 3)],
                    Bags = [[[1], []], []],
                    Steps = [(1, "s"), (2, "t")], Row = ["c"], Maybe = new Row { "d", "e" }, Table = new() { [2] = 20, [1] = 10 },
                };
            }
        }

        public static class Probe
        {
            public static byte[] Pack() => Packer.Pack(Shop.Make());

            public static bool TryUnpack(byte[] bytes)
            {
                Shop? shop = Shop.Make();
                try { Packer.Unpack(bytes, ref shop); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                Shop? shop = null;
                for (var round = 0; round < 3; round++)
                {
                    Packer.Unpack(Pack(), ref shop);
                    var at = shop!;
                    Xunit.Assert.Equal(["x", "y"], at.Names!);
                    Xunit.Assert.Equal([3, 4], at.Numbers!);
                    Xunit.Assert.Equal([new("w", 1), new("v", 2)], at.Watched!);
                    Xunit.Assert.Equal(2 * (round + 1), at.Watched!.Inserted);
                    Xunit.Assert.Equal(5, at.Catalogue!["k"].Count);
                    Xunit.Assert.Equal([new("q", 1), new("r", 2)], at.Backlog!);
                    Xunit.Assert.Equal([2, 1], at.Undo!);
                    Xunit.Assert.Equal(["ccc", "bb", "a"], at.Longest!);
                    Xunit.Assert.Equal(1, at.NoCase!["a"]);
                    Xunit.Assert.Equal("b", at.Urgent!.Peek());
                    Xunit.Assert.Equal([null, new("i", 3)], at.Bag!);
                    Xunit.Assert.Equal(2, at.Bags![0].Count);
                    Xunit.Assert.Equal([(1, "s"), (2, "t")], (IEnumerable<(int, string)>)at.Steps!);
                    Xunit.Assert.Equal(["c"], at.Row);
                    Xunit.Assert.Equal(["d", "e"], at.Maybe!.Value);
                    Xunit.Assert.Equal([new(1, 10), new(2, 20)], at.Table!);
                }

                var given = (shop!.Names, shop.Numbers, shop.Watched, shop.Backlog, shop.Bag, shop.Table);
                var bag = shop.Bags![0];
                bag.Seal();
                Packer.Unpack(Pack(), ref shop);
                Xunit.Assert.Equal(given, (shop.Names, shop.Numbers, shop.Watched, shop.Backlog, shop.Bag, shop.Table));
                shop.Bag!.Seal();
                Packer.Unpack(Pack(), ref shop);
                Xunit.Assert.NotSame(given.Bag, shop.Bag);
                Xunit.Assert.Equal([null, new("i", 3)], given.Bag!);

                Packer.Unpack(Packer.Pack(new Shop()), ref shop);
                Xunit.Assert.True(shop is { Names: null, Numbers: null, Catalogue: null, Steps: null, Maybe: null, Table: null });
                Xunit.Assert.Empty(shop.Row);
            }

            public static string Fault(byte[] bytes)
            {
                try { Packer.Unpack<Shop>(bytes); return ""; }
                catch (PackException refusal) { return refusal.Message + " / " + refusal.InnerException?.GetType().Name; }
            }

            public static string[] Refused()
            {
                var (twice, absent, unwanted) = (new Named { Catalogue = [new("k", 1), new("k", 2)] }, new Named { Catalogue = [null] },
                    new Named { Table = new() { [1] = -1 } });
                return [Fault(Packer.Pack(in twice)), Fault(Packer.Pack(in absent)), Fault(Packer.Pack(in unwanted))];
            }

            // The same members as Shop's, as the framework's own collections, which take more.
            [QueueMessage]
            public partial class Named
            {
                public List<string>? Names { get; set; }
                public List<int>? Numbers { get; set; }
                public List<Item>? Watched { get; set; }
                public List<Item?>? Catalogue { get; set; }
                public List<Item>? Backlog { get; set; }
                public List<int>? Undo { get; set; }
                public List<string>? Longest { get; set; }
                public Dictionary<string, int>? NoCase { get; set; }
                public List<(string, int)>? Urgent { get; set; }
                public List<Item>? Bag { get; set; }
                public List<List<List<int>>>? Bags { get; set; }
                public List<(int, string)>? Steps { get; set; }
                public List<string> Row { get; set; } = [];
                public List<string>? Maybe { get; set; }
                public Dictionary<int, long>? Table { get; set; }
            }
        }
        """;

    private static readonly string Source = Types.Replace(
        "public static class Probe", "public static partial class Probe", StringComparison.Ordinal);

    [Fact]
    public void They_come_back_as_what_they_were() => LoadedAssembly.Run(Source);

    [Fact]
    public void What_a_collection_does_not_take_is_an_exception_of_ours()
    {
        string[] refused = LoadedAssembly.Of(Source).Call<string[]>("Refused");
        Assert.Contains("Catalogue does not take the element before this: An item with the same key has already been added", refused[0],
            StringComparison.Ordinal);
        Assert.EndsWith("ArgumentException", refused[0], StringComparison.Ordinal);
        Assert.EndsWith("NullReferenceException", refused[1], StringComparison.Ordinal);
        Assert.Contains("does not take the element before this: No -1", refused[2], StringComparison.Ordinal);
    }

    [Fact]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours()
    {
        var loaded = LoadedAssembly.Of(Source);
        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length += 3)
        {
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(15);
        for (int i = 0; i < 3000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 4); changes > 0; changes--)
            {
                hostile[random.Next(bytes.Length)] = (byte)(random.Next(3) == 0 ? 0xFF : random.Next(256));
            }

            loaded.Call<bool>("TryUnpack", hostile);
        }
    }
}
