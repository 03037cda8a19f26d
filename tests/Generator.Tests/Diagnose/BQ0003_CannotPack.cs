namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0003_CannotPack
{
    [Fact]
    public async Task Points_at_the_members_type()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0003", """
            public class Simple { public int A; }
            public struct Holder { public string Text; }

            [QueueMessage]
            public partial class Order
            {
                public [|object?|] Anything { get; set; }
                public [|Simple?|] Unmarked { get; set; }
                public [|List<Simple>?|] Elements { get; set; }
                public [|int[,,,,]?|] Grid;
                public [|Action?|] Callback;
                public [|IComparable<int>?|] Comparable { get; set; }
                public [|Holder|] Holder { get; set; }
            }
            """);
        Assert.Equal("'Anything' cannot be packed: object can be anything; name the type", messages[0]);
        Assert.Contains("Simple is neither a kind that is known nor marked [QueueMessage]", messages[2]);
        Assert.Contains("use an array of arrays", messages[3]);
        Assert.Contains("mark it [QueueMessage]", messages[6]);
    }

    [Fact]
    public async Task Points_at_what_is_sorted_without_an_order()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0003", """
            using System.Collections.Immutable;
            using System.Numerics;

            [QueueMessage] public sealed partial record Leaf(int Id);
            [QueueMessage] public partial class Base : IComparable<Base> { public int CompareTo(Base? other) => 0; }
            [QueueMessage] public sealed partial class Derived : Base;
            [QueueMessage, PackUnion(0, typeof(Leafy))] public partial interface IShape;
            [QueueMessage] public sealed partial record Leafy : IShape;

            [QueueMessage]
            public partial class Order
            {
                public [|SortedSet<Leaf>?|] Leaves { get; set; }
                public [|List<SortedDictionary<Complex, int>>?|] Deep { get; set; }
                public [|PriorityQueue<int, (int, int[])>?|] Queue { get; set; }
                public [|ImmutableSortedDictionary<Uri, int>?|] Immutable { get; set; }
                public [|SortedList<Tuple<Leaf>, int>?|] Tuples { get; set; }
                public [|ImmutableSortedSet<Vector3?>?|] Vectors { get; set; }

                public SortedSet<Derived>? Inherited { get; set; }
                public SortedSet<IShape>? Shapes { get; set; }
                public SortedSet<(int, string?, DayOfWeek?)>? Values { get; set; }
                public PriorityQueue<Leaf, Guid>? Plan { get; set; }
                public SortedDictionary<Version, Leaf>? Versions { get; set; }
            }
            """);
        Assert.Equal(
            "'Leaves' cannot be packed: Leaf has no order to sort by; let it implement IComparable<Leaf>, or derive a class from "
                + "SortedSet<Leaf> whose constructor without parameters names a comparer",
            messages[0]);
        Assert.Contains("int[] has no order", messages[2], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Says_what_a_collection_of_ones_own_lacks()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0003", """
            using System.Collections;
            using System.Collections.ObjectModel;

            public abstract class Shelf : List<int>;
            public class Sealed(IList<int> items) : ReadOnlyCollection<int>(items) { public Sealed() : this([]) { } }
            public class Closed : List<int> { private Closed() { } }
            public class Named : List<int> { public required string Name { get; set; } }
            public class Tree : List<Tree>;
            public class Deeper<T> : List<Deeper<Deeper<T>>>;
            public class View : IEnumerable<int>
            {
                public void Add(string item) { }
                public IEnumerator<int> GetEnumerator() => null!;
                IEnumerator IEnumerable.GetEnumerator() => null!;
            }

            [QueueMessage]
            public partial class Order
            {
                public [|Shelf?|] Abstract { get; set; }
                public [|Sealed?|] ReadOnly { get; set; }
                public [|Closed?|] Closed { get; set; }
                public [|Named?|] Named { get; set; }
                public [|Tree?|] Tree { get; set; }
                public [|Deeper<int>?|] Deeper { get; set; }
                public [|View?|] View { get; set; }
                public [|List<View>?|] Views { get; set; }
                public [|ArrayList?|] UntypedCollections { get; set; }
                public [|IDictionary?|] Interface { get; set; }
                public [|System.Collections.Specialized.NameValueCollection?|] Header { get; set; }
                public [|CollectionBase?|] Old { get; set; }
                public [|System.Linq.IQueryable<int>?|] Query { get; set; }
                public [|Array?|] Untyped { get; set; }
            }
            """);
        Assert.Equal(
            "'Abstract' cannot be packed: Shelf is a collection that could not be made again: it is abstract, use a class derived from it",
            messages[0]);
        Assert.Contains("it is read-only; pack a List", messages[1], StringComparison.Ordinal);
        Assert.Contains("it has no public constructor without parameters; give it one", messages[2], StringComparison.Ordinal);
        Assert.Contains("it has required members", messages[3], StringComparison.Ordinal);
        Assert.Contains("Tree is a collection that contains itself; make it a member of a [QueueMessage]", messages[4],
            StringComparison.Ordinal);
        Assert.Contains("is a collection that contains itself", messages[5], StringComparison.Ordinal);
        Assert.Contains("it has no public Add that takes 'int'", messages[6], StringComparison.Ordinal);
        Assert.Equal("'UntypedCollections' cannot be packed: ArrayList has elements of any type; use List<T>", messages[8]);
        Assert.EndsWith("use IDictionary<K, V>", messages[9], StringComparison.Ordinal);
        Assert.EndsWith("use Dictionary<string, string>", messages[10], StringComparison.Ordinal);
        Assert.EndsWith("let it implement ICollection<T>, or use a generic collection", messages[11], StringComparison.Ordinal);
        Assert.EndsWith("is an interface; use the type that implements it", messages[12], StringComparison.Ordinal);
        Assert.EndsWith("Array has elements of any type; name that of its elements, as in int[]", messages[13], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Does_not_ask_to_mark_what_is_another_assemblys()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0003", """
            [QueueMessage]
            public partial class Order
            {
                public [|System.Threading.CancellationToken|] Token { get; set; }
                public [|System.Text.Json.JsonElement|] Json { get; set; }
                public [|System.IO.Stream?|] Stream { get; set; }
                public [|List<System.Text.Json.JsonElement>?|] Many { get; set; }
            }
            """);
        Assert.Equal(
            "'Token' cannot be packed: CancellationToken is another assembly's, and no kind that is known; leave the member out with "
                + "[PackIgnore], or name a packer for it with [PackWith] or [assembly: PackWith]",
            messages[0]);
        Assert.All(messages, message => Assert.DoesNotContain("[QueueMessage]", message, StringComparison.Ordinal));
        Assert.All(messages, message => Assert.Contains("[PackIgnore]", message, StringComparison.Ordinal));
    }

    [Fact]
    public Task Points_at_a_records_parameter()
        => AnalyzerRun.Expect("BQ0003", "[QueueMessage] public partial record Order(int Id, [|dynamic|] Data);");

    [Fact]
    public Task Points_at_the_message_when_the_member_is_inherited() => AnalyzerRun.Expect("BQ0003", """
        public class Base { public object? Tag { get; set; } }
        [QueueMessage] public partial class [|Order|] : Base;
        """);

    [Fact]
    public Task Is_silent_about_ignored_members() => AnalyzerRun.ExpectNone("""
        [QueueMessage] public partial class Order { [PackIgnore] public object? Cache { get; set; } }
        """);

    [Fact]
    public void A_type_that_is_no_message_yet_adds_no_noise()
    {
        var run = GeneratorRun.Of("""
            [QueueMessage] public partial class Box<T> { public T? Content { get; set; } }
            [QueueMessage] public abstract partial class Shape { public int Id { get; set; } }
            [QueueMessage] public sealed partial class Circle : Shape { public double Radius { get; set; } }
            [QueueMessage, PackUnion(0, typeof(Square))] public abstract partial record Figure;
            [QueueMessage] public sealed partial record Square : Figure;
            [QueueMessage] public partial class All { public Box<int>? Box { get; set; } public Shape? Shape { get; set; }
                public List<Figure>? Figures { get; set; } }
            public static class Use
            {
                public static byte[] Pack(Shape shape) => Packer.Pack(in shape);
                public static byte[] Pack(Box<int> box) => Packer.Pack(in box);
                public static byte[] Pack(All all) => Packer.Pack(in all);
            }
            """);
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.DoesNotContain("NotSupportedException", run.File("Circle.g.cs"), StringComparison.Ordinal);
        Assert.Contains("NotSupportedException", run.File("All.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void What_is_generated_compiles_and_refuses()
    {
        var run = GeneratorRun.Of("""
            [QueueMessage] public partial class Order { public object? Bad { get; set; } }
            [QueueMessage] public partial class Outer { public Order? Order { get; set; } }
            public static class Use { public static byte[] Pack() => Packer.Pack(new Order()); }
            """);
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Contains("throw new global::System.NotSupportedException", run.File("Order.g.cs"));
    }
}
