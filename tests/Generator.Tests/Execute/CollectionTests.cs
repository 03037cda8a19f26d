namespace BlitQueue.Generator.Tests.Execute;

public class CollectionTests
{
    private const string Source = """
        using System.Collections.Concurrent;
        using System.Collections.Frozen;
        using System.Collections.Immutable;
        using System.Collections.ObjectModel;
        using System.Linq;

        [QueueMessage]
        public partial class Every<%T%>
        {
            public HashSet<T>? HashSet { get; set; }
            public Queue<T>? Queue { get; set; }
            public Stack<T>? Stack { get; set; }
            public LinkedList<T>? LinkedList { get; set; }
            public SortedSet<T>? SortedSet { get; set; }
            public ConcurrentQueue<T>? ConcurrentQueue { get; set; }
            public ConcurrentStack<T>? ConcurrentStack { get; set; }
            public ConcurrentBag<T>? ConcurrentBag { get; set; }
            public BlockingCollection<T>? BlockingCollection { get; set; }
            public Collection<T>? Collection { get; set; }
            public ObservableCollection<T>? ObservableCollection { get; set; }
            public ReadOnlyCollection<T>? ReadOnlyCollection { get; set; }
            public ReadOnlyObservableCollection<T>? ReadOnlyObservableCollection { get; set; }
            public ReadOnlySet<T>? ReadOnlySet { get; set; }
            public ImmutableList<T>? ImmutableList { get; set; }
            public ImmutableHashSet<T>? ImmutableHashSet { get; set; }
            public ImmutableSortedSet<T>? ImmutableSortedSet { get; set; }
            public ImmutableQueue<T>? ImmutableQueue { get; set; }
            public ImmutableStack<T>? ImmutableStack { get; set; }
            public IImmutableList<T>? IImmutableList { get; set; }
            public IImmutableSet<T>? IImmutableSet { get; set; }
            public IImmutableQueue<T>? IImmutableQueue { get; set; }
            public IImmutableStack<T>? IImmutableStack { get; set; }
            public FrozenSet<T>? FrozenSet { get; set; }
            public IEnumerable<T>? IEnumerable { get; set; }
            public ICollection<T>? ICollection { get; set; }
            public IList<T>? IList { get; set; }
            public IReadOnlyCollection<T>? IReadOnlyCollection { get; set; }
            public IReadOnlyList<T>? IReadOnlyList { get; set; }
            public ISet<T>? ISet { get; set; }
            public IReadOnlySet<T>? IReadOnlySet { get; set; }

            public static Every<%T%> Of(T[] all) => new()
            {
                HashSet = [.. all], Queue = new(all), Stack = new(all), LinkedList = new(all), SortedSet = [.. all],
                ConcurrentQueue = new(all),
                ConcurrentStack = new(all), ConcurrentBag = [.. all], BlockingCollection = [.. all], Collection = [.. all],
                ObservableCollection = [.. all], ReadOnlyCollection = new(all), ReadOnlyObservableCollection = new([.. all]),
                ReadOnlySet = new(new HashSet<T>(all)), ImmutableList = [.. all], ImmutableHashSet = [.. all],
                ImmutableSortedSet = [.. all],
                ImmutableQueue = [.. all], ImmutableStack = System.Collections.Immutable.ImmutableStack.CreateRange(all),
                IImmutableList = [.. all],
                IImmutableSet = [.. all], IImmutableQueue = [.. all],
                IImmutableStack = System.Collections.Immutable.ImmutableStack.CreateRange(all),
                FrozenSet = all.ToFrozenSet(), IEnumerable = all.Select(item => item), ICollection = all, IList = [.. all],
                IReadOnlyCollection = all,
                IReadOnlyList = all, ISet = new HashSet<T>(all), IReadOnlySet = new HashSet<T>(all),
            };

            public static T[] Items(object every, System.Reflection.PropertyInfo property)
            {
                var items = ((IEnumerable<T>)property.GetValue(every)!).ToArray();
                return property.Name.Contains("Set") || property.Name.Contains("Bag") ? [.. items.Order()] : items;
            }
        }

        public static class Probe
        {
            public static System.Reflection.PropertyInfo[] Members
                => [.. typeof(Every<%T%>).GetProperties().Where(property => property.Name != "Schema")];

            public static byte[] Pack() => Packer.Pack(Every<%T%>.Of(%ITEMS%));

            public static bool TryUnpack(byte[] bytes)
            {
                Every<%T%>? every = Every<%T%>.Of(%ITEMS%);
                try { Packer.Unpack(bytes, ref every); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                var from = Every<%T%>.Of(%ITEMS%);
                Every<%T%>? to = null;
                for (var round = 0; round < 3; round++)
                {
                    Packer.Unpack(Packer.Pack(in from), ref to);
                    foreach (var member in Members)
                        Xunit.Assert.True(Every<%T%>.Items(from, member).SequenceEqual(Every<%T%>.Items(to!, member)), member.Name);
                }

                var (set, queue, list) = (to!.HashSet, to.Queue, to.IReadOnlyList);
                var empty = Every<%T%>.Of([]);
                Packer.Unpack(Packer.Pack(in empty), ref to);
                Xunit.Assert.Equal((set, queue, list), (to.HashSet, to.Queue, to.IReadOnlyList));
                foreach (var member in Members)
                    Xunit.Assert.Empty(Every<%T%>.Items(to, member));

                Packer.Unpack(Packer.Pack(new Every<%T%>()), ref to);
                foreach (var member in Members)
                    Xunit.Assert.Null(member.GetValue(to));
            }
        }
        """;

    [Theory]
    [InlineData("int", "new[] { 3, 1, 2 }")]
    [InlineData("decimal", "new[] { 3.5m, 1m }")]
    [InlineData("int?", "new int?[] { null, 1, 2 }")]
    [InlineData("string", "new[] { \"b\", \"\", \"a\" }")]
    [InlineData("(int, string)", "new[] { (1, \"b\"), (0, \"a\") }")]
    [InlineData("Leaf", "new Leaf[] { new(\"b\"), new(\"a\") }",
        "[QueueMessage] public sealed partial record Leaf(string Name) : IComparable<Leaf> { public int CompareTo(Leaf? other) => "
        + "string.CompareOrdinal(Name, other?.Name); }")]
    [InlineData("Dot", "new Dot[] { new() { X = 2 }, new() { X = 1 } }",
        "[QueueMessage] public partial record struct Dot : IComparable<Dot> { public int X; public string? Label; public int "
        + "CompareTo(Dot other) => X - other.X; }")]
    public void Every_collection_comes_back(string type, string items, string more = "") => LoadedAssembly.Run(Of(type, items), more);

    [Theory]
    [InlineData("int", "new[] { 3, 1, 2 }")]
    [InlineData("string", "new[] { \"b\", \"\", \"a\" }")]
    [InlineData("(int, string)", "new[] { (1, \"b\"), (0, \"a\") }")]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours(string type, string items)
    {
        var loaded = LoadedAssembly.Of(Of(type, items));
        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length += 3)
        {
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(11);
        for (int i = 0; i < 1000; i++)
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
    public void A_collection_has_the_bytes_and_the_schema_of_an_array() => LoadedAssembly.Run("""
        [QueueMessage] public partial class A { public int[]? Ints { get; set; } public string[]? Texts { get; set; } }
        [QueueMessage] public partial class B { public Stack<int>? Ints { get; set; } public IEnumerable<string>? Texts { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var array = Packer.Pack(new A { Ints = [1, 2], Texts = ["x"] });
                var other = Packer.Pack(new B { Ints = new([1, 2]), Texts = System.Linq.Enumerable.Repeat("x", 1) });
                Xunit.Assert.Equal("00000200" + "080000000100000002000000" + "0D00000001000000" + "050000000100000078",
                    Convert.ToHexString(other));
                Xunit.Assert.Equal(array, other);
                Xunit.Assert.Equal(A.Schema.Text, B.Schema.Text);
                Xunit.Assert.True(B.Schema.RunsUserCode);
                Xunit.Assert.False(A.Schema.RunsUserCode);
            }
        }
        """);

    [Fact]
    public void An_array_of_what_has_brackets_itself_is_named_right() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Order
        {
            public System.Collections.Immutable.ImmutableList<int[][]>? Deep { get; set; }
            public System.Collections.Immutable.ImmutableList<string?[]?>? Nullable { get; set; }
            public IReadOnlyList<Queue<int>>? Queues { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var order = Packer.Unpack<Order>(
                    Packer.Pack(new Order { Deep = [[[1], [2, 3]], []], Nullable = [null, [null, "x"]], Queues = [new([1, 2])] }))!;
                Xunit.Assert.Equal([[[1], [2, 3]], []], order.Deep!);
                Xunit.Assert.Null(order.Nullable![0]);
                Xunit.Assert.Equal([null, "x"], order.Nullable[1]!);
                Xunit.Assert.Equal([1, 2], order.Queues![0]);
            }
        }
        """);

    [Fact]
    public void A_collection_that_cannot_be_emptied_is_replaced() => LoadedAssembly.Run("""
        using System.Collections.ObjectModel;

        [QueueMessage] public partial class Order { public Collection<int>? Numbers { get; set; } public IList<int>? List { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var fixedSize = new[] { 1, 2, 3 };
                Order? order = new() { Numbers = new(fixedSize), List = fixedSize };
                Packer.Unpack(Packer.Pack(new Order { Numbers = [4], List = [5] }), ref order);
                Xunit.Assert.Equal([4], order.Numbers!);
                Xunit.Assert.Equal([5], order.List!);
                Xunit.Assert.Equal([1, 2, 3], fixedSize);
            }
        }
        """);

    private static string Of(string type, string items)
        => Source.Replace("Every<%T%>", "Every").Replace("%ITEMS%", items).Replace("T[]", type + "[]").Replace("<T>", $"<{type}>");
}
