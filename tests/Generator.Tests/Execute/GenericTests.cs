namespace BlitQueue.Generator.Tests.Execute;

public class GenericTests
{
    private const string Box = """
        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } }
        [QueueMessage] public sealed partial class Line { public string? Sku { get; set; } public int Count { get; set; } }
        [QueueMessage] public partial struct Dot { public int X; public string? Label; }
        """;

    private const string Trip = """
        public static class Trip
        {
            public static M Of<M>(M message) where M : IPackable<M> => Packer.Unpack<M>(Packer.Pack(in message!))!;
        }
        """;

    [Fact]
    public void Anything_that_could_be_a_member_may_stand_for_the_parameter() => LoadedAssembly.Run(Box, Trip, """
        public enum Color : byte { Red, Green }
        public struct Pair { public int A; public float B; }

        public static class Probe
        {
            static T Back<T>(Box<T> box) => Trip.Of(box).Content!;

            public static void Run()
            {
                Xunit.Assert.Equal(7, Back(new Box<int> { Content = 7 }));
                Xunit.Assert.Equal(1.5m, Back(new Box<decimal> { Content = 1.5m }));
                Xunit.Assert.Equal("x", Back(new Box<string> { Content = "x" }));
                Xunit.Assert.Null(Back(new Box<string?>()));
                Xunit.Assert.Equal(7, Back(new Box<int?> { Content = 7 }));
                Xunit.Assert.Null(Back(new Box<int?>()));
                Xunit.Assert.Equal(Color.Green, Back(new Box<Color> { Content = Color.Green }));
                Xunit.Assert.Equal(Color.Green, Back(new Box<Color?> { Content = Color.Green }));
                Xunit.Assert.Equal(2, Back(new Box<Pair> { Content = new() { B = 2 } }).B);
                Xunit.Assert.Equal("s", Back(new Box<Line> { Content = new() { Sku = "s" } }).Sku);
                Xunit.Assert.Null(Back(new Box<Line>()));
                Xunit.Assert.Equal("d", Back(new Box<Dot> { Content = new() { Label = "d" } }).Label);
                Xunit.Assert.Equal("d", Back(new Box<Dot?> { Content = new Dot { Label = "d" } })!.Value.Label);
                Xunit.Assert.Null(Back(new Box<Dot?>()));
                Xunit.Assert.Equal([1, 2], Back(new Box<int[]> { Content = [1, 2] }));
                Xunit.Assert.Equal([1, 2], Back(new Box<List<int>> { Content = [1, 2] }));
                Xunit.Assert.Equal(["a", "b"], Back(new Box<List<string>> { Content = ["a", "b"] }));
                Xunit.Assert.Equal(["a", null], Back(new Box<string?[]> { Content = ["a", null] }));
                Xunit.Assert.Equal("s", Back(new Box<List<Line>> { Content = [new() { Sku = "s" }] })[0].Sku);
                Xunit.Assert.Equal(3, Back(new Box<Dictionary<string, int>> { Content = new() { ["k"] = 3 } })["k"]);
                Xunit.Assert.Equal((1, "t"), Back(new Box<(int, string)> { Content = (1, "t") }));
                Xunit.Assert.Equal(4, Back(new Box<int[,]> { Content = new[,] { { 1, 2 }, { 3, 4 } } })[1, 1]);
                Xunit.Assert.Equal(new Uri("http://a/"), Back(new Box<Uri> { Content = new("http://a/") }));
                Xunit.Assert.Equal(9, Back(new Box<Box<int>> { Content = new() { Content = 9 } }).Content);
                Xunit.Assert.Equal(
                    "s", Back(new Box<Box<List<Line?>>> { Content = new() { Content = [null, new() { Sku = "s" }] } }).Content![1]!.Sku);
            }
        }
        """);

    [Fact]
    public void The_parameter_may_stand_anywhere_in_a_members_type() => LoadedAssembly.Run(Box, Trip, """
        [QueueMessage]
        public partial class Many<K, T> where K : notnull
        {
            public T[]? Array { get; set; }
            public List<T>? List { get; set; }
            public List<T?>? Nullables { get; set; }
            public T?[]? NullableArray { get; set; }
            public HashSet<T>? Set { get; set; }
            public Stack<T>? Stack { get; set; }
            public IEnumerable<T>? Enumerable { get; set; }
            public Memory<T> Memory { get; set; }
            public System.Collections.Immutable.ImmutableArray<T> Immutable { get; set; }
            public Dictionary<K, T>? Dictionary { get; set; }
            public SortedDictionary<string, List<T>>? Sorted { get; set; }
            public (T, int) Tuple { get; set; }
            public Tuple<T, K>? Reference { get; set; }
            public KeyValuePair<K, T> Pair { get; set; }
            public T[,]? Grid { get; set; }
            public T[][]? Jagged { get; set; }
            public List<(T, K)>? Tuples { get; set; }
            public Box<T>? Box { get; set; }
            public List<Box<List<T>>>? Boxes { get; set; }
        }

        public static class Probe
        {
            static void Check<K, T>(K k, T a, T b) where K : notnull
            {
                var from = new Many<K, T>
                {
                    Array = [a, b], List = [a, b], Nullables = [a, default], NullableArray = [default, b], Set = [a, b],
                    Stack = new([a, b]), Enumerable = [a, b], Memory = new[] { a, b },
                    Immutable = [a, b], Dictionary = new() { [k] = a }, Sorted = new() { ["s"] = [a, b] }, Tuple = (a, 1),
                    Reference = new(a, k), Pair = new(k, b),
                    Grid = new[,] { { a, b } }, Jagged = [[a], [b, a]], Tuples = [(a, k)], Box = new() { Content = a },
                    Boxes = [new() { Content = [a] }], 
                };
                var to = Trip.Of(from);
                Xunit.Assert.Equal(from.Array, to.Array);
                Xunit.Assert.Equal(from.List, to.List);
                Xunit.Assert.Equal(from.Nullables, to.Nullables);
                Xunit.Assert.Equal(from.NullableArray, to.NullableArray);
                Xunit.Assert.Equal(from.Set, to.Set);
                Xunit.Assert.Equal(from.Stack, to.Stack);
                Xunit.Assert.Equal(from.Enumerable, to.Enumerable);
                Xunit.Assert.Equal(from.Memory.ToArray(), to.Memory.ToArray());
                Xunit.Assert.True(System.Linq.Enumerable.SequenceEqual(from.Immutable, to.Immutable));
                Xunit.Assert.Equal(from.Dictionary, to.Dictionary);
                Xunit.Assert.Equal(from.Sorted, to.Sorted);
                Xunit.Assert.Equal(from.Tuple, to.Tuple);
                Xunit.Assert.Equal(from.Reference, to.Reference);
                Xunit.Assert.Equal(from.Pair, to.Pair);
                Xunit.Assert.Equal(from.Grid, to.Grid);
                Xunit.Assert.Equal(from.Jagged, to.Jagged);
                Xunit.Assert.Equal(from.Tuples, to.Tuples);
                Xunit.Assert.Equal(from.Box.Content, to.Box!.Content);
                Xunit.Assert.Equal(from.Boxes[0].Content, to.Boxes![0].Content);
            }

            public static void Run()
            {
                Check<string, int>("k", 1, 2);
                Check<int, string>(7, "a", "b");
                Check<Guid, (int, string)>(Guid.NewGuid(), (1, "a"), (2, "b"));
                Check<int, int?>(7, 8, null);
                Check<DayOfWeek, DayOfWeek>(DayOfWeek.Friday, DayOfWeek.Monday, DayOfWeek.Sunday);
            }
        }
        """);

    [Fact]
    public void Constraints_of_every_sort() => LoadedAssembly.Run(Box, Trip, """
        [QueueMessage] public partial class OfStruct<T> where T : struct { public T Value { get; set; } public T? Maybe { get; set; }
            public List<T?>? Many { get; set; } public T?[]? Array { get; set; } }
        [QueueMessage] public partial class OfClass<T> where T : class, new() {
            public T Value { get; set; } = new(); public T? Maybe { get; set; } public List<T?> Many { get; set; } = []; }
        [QueueMessage] public partial class OfUnmanaged<T> where T : unmanaged {
            public T Value { get; set; } public T[] Many { get; set; } = []; }
        [QueueMessage] public partial class OfNotNull<T> where T : notnull {
            public T Value { get; set; } = default!; public Dictionary<T, T>? Map { get; set; } }
        [QueueMessage] public partial class OfMessage<T> where T : IPackable<T> {
            public T? Value { get; set; } public List<T>? Many { get; set; } public Dictionary<string, T>? Map { get; set; } }
        [QueueMessage] public partial class OfMessageClass<T> where T : class, IPackable<T>, new() {
            public T Value { get; set; } = new(); public T?[]? Many { get; set; } }
        [QueueMessage] public partial class OfMessageStruct<T> where T : struct, IPackable<T> {
            public T Value { get; set; } public T? Maybe { get; set; } public List<T?>? Many { get; set; } }
        [QueueMessage] public partial record Constructed<T>(T Value, List<T>? Many, int Number);
        [QueueMessage] public partial record struct Structured<T>(T Value, T[]? Many);
        [QueueMessage] public partial class Required<T> { public required T Value { get; init; } public T? Other { get; init; } = default; }

        public static class Probe
        {
            public static void Run()
            {
                var s = Trip.Of(new OfStruct<int> { Value = 1, Maybe = 2, Many = [3, null], Array = [null, 4] });
                Xunit.Assert.Equal((1, 2), (s.Value, s.Maybe));
                Xunit.Assert.Equal([3, null], s.Many!);
                Xunit.Assert.Equal([null, 4], s.Array!);
                Xunit.Assert.Null(Trip.Of(new OfStruct<Dot> { Value = new() { X = 1 } }).Maybe);
                Xunit.Assert.Equal("l", Trip.Of(new OfStruct<Dot> { Maybe = new Dot { Label = "l" } }).Maybe!.Value.Label);
                Xunit.Assert.Equal("s", Trip.Of(new OfClass<Line> { Maybe = new() { Sku = "s" }, Many = [null] }).Maybe!.Sku);
                Xunit.Assert.Equal([5L], Trip.Of(new OfUnmanaged<long> { Many = [5] }).Many);
                Xunit.Assert.Equal("v", Trip.Of(new OfNotNull<string> { Value = "", Map = new() { ["k"] = "v" } }).Map!["k"]);
                Xunit.Assert.Equal(
                    "s", Trip.Of(
                    new OfMessage<Line> { Value = new() { Sku = "s" }, Many = [new()], Map = new() { ["k"] = new() } }).Value!.Sku);
                Xunit.Assert.Equal("d", Trip.Of(new OfMessage<Dot> { Value = new() { Label = "d" } }).Value.Label);
                Xunit.Assert.Equal(7, Trip.Of(new OfMessage<Box<List<byte>>> { Value = new() { Content = [7] } }).Value!.Content![0]);
                Xunit.Assert.Equal("s", Trip.Of(new OfMessageClass<Line> { Many = [null, new() { Sku = "s" }] }).Many![1]!.Sku);
                var m = Trip.Of(
                    new OfMessageStruct<Dot> { Value = new() { X = 1 }, Maybe = new Dot { X = 2 }, Many = [null, new Dot { X = 3 }] });
                Xunit.Assert.Equal((1, 2, null, 3), (m.Value.X, m.Maybe!.Value.X, m.Many![0]?.X, m.Many[1]!.Value.X));
                Xunit.Assert.Equal("v", Trip.Of(new Constructed<string>("v", ["w"], 3)).Value);
                Xunit.Assert.Equal([4, 5], Trip.Of(new Structured<int>(3, [4, 5])).Many!);
                Xunit.Assert.Equal(6, Trip.Of(new Required<int> { Value = 6 }).Value);
            }
        }
        """);

    [Fact]
    public void Given_instances_are_filled() => LoadedAssembly.Run(Box, """
        [QueueMessage] public partial record Fixed<T>(T Value);
        [QueueMessage] public partial class Lists<T> { public List<T>? List { get; set; } public T[]? Array { get; set; }
            public Dictionary<string, T>? Map { get; set; } }

        public static class Probe
        {
            static void Fill<M>(ref M message, M from) where M : class, IPackable<M>
            {
                var given = message;
                Packer.Unpack<M>(Packer.Pack(in from!), ref message!);
                if (!typeof(M).Name.StartsWith("Fixed")) Xunit.Assert.Same(given, message);
            }

            public static void Run()
            {
                var line = new Line { Sku = "same" };
                var box = new Box<Line> { Content = line };
                Fill(ref box, new() { Content = new() { Sku = new string("same"), Count = 2 } });
                Xunit.Assert.Same(line, box.Content);
                Xunit.Assert.Equal(2, line.Count);
                Fill(ref box, new());
                Xunit.Assert.Null(box.Content);

                var text = new string('x', 3);
                var words = new Box<string> { Content = text };
                Fill(ref words, new() { Content = new string('x', 3) });
                Xunit.Assert.Same(text, words.Content);

                var list = new List<Line> { line };
                var lists = new Lists<Line> { List = list, Array = [line], Map = new() { ["k"] = line } };
                var (array, map) = (lists.Array, lists.Map);
                Fill(ref lists, new() { List = [new() { Count = 3 }, new()], Array = [new() { Count = 4 }],
                    Map = new() { ["k"] = new() { Count = 5 } } });
                Xunit.Assert.Same(list, lists.List);
                Xunit.Assert.Same(line, list[0]);
                Xunit.Assert.Same(array, lists.Array);
                Xunit.Assert.Same(map, lists.Map);
                Xunit.Assert.Equal(5, line.Count);

                var numbers = new Box<List<int>> { Content = [1, 2, 3] };
                var held = numbers.Content;
                Fill(ref numbers, new() { Content = [4] });
                Xunit.Assert.Same(held, numbers.Content);
                Xunit.Assert.Equal([4], held);

                // What cannot be changed may be in use elsewhere: only its strings are taken over.
                var record = new Fixed<string>(text);
                Fill(ref record, new(new string('x', 3)));
                Xunit.Assert.Same(text, record.Value);
                var other = new Fixed<Line>(line);
                Fill(ref other, new(new() { Count = 9 }));
                Xunit.Assert.NotSame(line, other.Value);
                Xunit.Assert.Equal(5, line.Count);
            }
        }
        """);

    [Fact]
    public void Nested_derived_tolerant_circular_and_generic_on_both_sides() => LoadedAssembly.Run(Box, Trip, """
        public static partial class Outer<A>
        {
            public partial struct Middle<B>
            {
                [QueueMessage] public partial class Inner { public A? First { get; set; } public B? Second { get; set; } }
                [QueueMessage] public partial class Own<C> { public (A?, B?, C?) All { get; set; } }
            }
        }

        [QueueMessage] public partial class IntBox : Box<int> { public string? Name { get; set; } }
        public class Simple<T> { public T? Inherited { get; set; } public List<T>? More { get; set; } }
        [QueueMessage] public partial class Filled : Simple<List<short>> { }
        [QueueMessage] public partial class Open<T> : Simple<Box<T>> { public T? Own { get; set; } }
        [QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Tolerant<T> { [PackOrder(3)] public T? Value { get; set; }
            [PackOrder(1)] public List<T>? Many { get; set; } [PackOrder(7)] public int Number { get; set; } }
        [QueueMessage(Layout = PackLayout.CircularReference)] public partial class Node<T> {
            public T? Value { get; set; } public Node<T>? Next { get; set; } public List<Node<T>> Others { get; set; } = []; }
        [QueueMessage(Strings = StringEncoding.Utf16)] public partial class Wide<T> {
            public T? Value { get; set; } public List<T>? Many { get; set; } }
        [QueueMessage] public partial class Holder { public Box<Line>? Box { get; set; } public Box<Dot[]>?[]? Boxes { get; set; }
            public Wide<Wide<string>>? Wide { get; set; } public Pair<int, string> Pair { get; set; } }
        [QueueMessage] public partial struct Pair<A, B> { public A First; public B Second; }

        public static class Probe
        {
            public static void Run()
            {
                var inner = Trip.Of(new Outer<int>.Middle<string>.Inner { First = 1, Second = "2" });
                Xunit.Assert.Equal((1, "2"), (inner.First, inner.Second));
                Xunit.Assert.Equal((1, "2", 3.0), Trip.Of(new Outer<int>.Middle<string>.Own<double> { All = (1, "2", 3.0) }).All);
                Xunit.Assert.Equal([8], Trip.Of(new Outer<List<int>>.Middle<byte>.Inner { First = [8] }).First!);

                var box = Trip.Of(new IntBox { Content = 4, Name = "n" });
                Xunit.Assert.Equal((4, "n"), (box.Content, box.Name));
                Xunit.Assert.Equal([5], Trip.Of(new Filled { Inherited = [5] }).Inherited!);
                Xunit.Assert.Equal(6, Trip.Of(new Open<byte> { Inherited = new() { Content = 6 } }).Inherited!.Content);

                var tolerant = Trip.Of(new Tolerant<decimal> { Value = 1.5m, Many = [2], Number = 3 });
                Xunit.Assert.Equal((1.5m, 3), (tolerant.Value, tolerant.Number));
                Xunit.Assert.Equal("t", Trip.Of(new Tolerant<string> { Value = "t" }).Value);

                var node = new Node<string> { Value = "v" };
                node.Next = node;
                node.Others.Add(node);
                var back = Trip.Of(node);
                Xunit.Assert.Same(back, back.Next);
                Xunit.Assert.Same(back, back.Others[0]);
                Xunit.Assert.Equal("v", back.Value);

                const string Lone = "a\uD800b";
                Xunit.Assert.Equal(Lone, Trip.Of(new Wide<string> { Value = Lone, Many = [Lone] }).Many![0]);
                Xunit.Assert.Equal(Lone, Trip.Of(new Wide<List<string>> { Value = [Lone] }).Value![0]);
                Xunit.Assert.Equal(Lone, Trip.Of(new Wide<(string, int)> { Many = [(Lone, 1)] }).Many![0].Item1);
                Xunit.Assert.NotEqual(Lone, Trip.Of(new Box<List<string>> { Content = [Lone] }).Content![0]);

                var holder = Trip.Of(
                    new Holder { Box = new() { Content = new() { Sku = "s" } }, Boxes = [null, new() { Content = [new() { X = 1 }] }],
                    Wide = new() { Value = new() { Value = Lone } }, Pair = new() { First = 7, Second = "p" } });
                Xunit.Assert.Equal(("s", 1, Lone, 7),
                    (holder.Box!.Content!.Sku, holder.Boxes![1]!.Content![0].X, holder.Wide!.Value!.Value, holder.Pair.First));
            }
        }
        """);

    [Fact]
    public void A_generic_union() => LoadedAssembly.Run(Box, Trip, """
        [QueueMessage, PackUnion(0, typeof(Leaf<>)), PackUnion(1, typeof(Fork<>)), PackUnion(2, typeof(IntLeaf)),
            PackUnion(3, typeof(Word))] public partial interface ITree<T>;
        [QueueMessage] public sealed partial class Leaf<T> : ITree<T> { public T? Value { get; set; } }
        [QueueMessage] public partial class Fork<U> : ITree<U> {
            public ITree<U>? Left { get; set; } public List<ITree<U>?>? Others { get; set; } }
        [QueueMessage] public sealed partial class IntLeaf : ITree<int> { public int Int { get; set; } }
        [QueueMessage] public partial struct Word : ITree<string> { public int Length; }
        [QueueMessage, PackUnion(0, typeof(One<,>)), PackUnion(1, typeof(Two<,>)),
            PackUnion(2, typeof(Three))] public abstract partial record Either<A, B>;
        [QueueMessage] public sealed partial record One<X, Y>(X Value) : Either<X, Y>;
        [QueueMessage] public sealed partial record Two<Y, X>(X Value) : Either<Y, X>;
        [QueueMessage] public partial record Three(int Value) : Either<int, string>;
        [QueueMessage, PackUnion(0, typeof(Box<int>)), PackUnion(1, typeof(Box<List<int>>))] public partial interface ISimple;
        public partial class Box<T> : ISimple;

        public static class Probe
        {
            public static void Run()
            {
                var tree = Trip.Of<ITree<int>>(
                    new Fork<int> { Left = new Leaf<int> { Value = 1 }, Others = [null, new Fork<int>(), new Leaf<int> { Value = 2 }] });
                var fork = Xunit.Assert.IsType<Fork<int>>(tree);
                Xunit.Assert.Equal(1, Xunit.Assert.IsType<Leaf<int>>(fork.Left).Value);
                Xunit.Assert.Equal(2, Xunit.Assert.IsType<Leaf<int>>(fork.Others![2]).Value);
                Xunit.Assert.Equal("s", Xunit.Assert.IsType<Leaf<List<Line>>>(
                    Trip.Of<ITree<List<Line>>>(new Leaf<List<Line>> { Value = [new() { Sku = "s" }] })).Value![0].Sku);
                Xunit.Assert.Equal(new One<int, string>(1), Trip.Of<Either<int, string>>(new One<int, string>(1)));
                Xunit.Assert.Equal(new Two<int, string>("2"), Trip.Of<Either<int, string>>(new Two<int, string>("2")));
                Xunit.Assert.Equal(new Three(3), Trip.Of<Either<int, string>>(new Three(3)));
                Xunit.Assert.Equal(4, Xunit.Assert.IsType<IntLeaf>(Trip.Of<ITree<int>>(new IntLeaf { Int = 4 })).Int);
                Xunit.Assert.Equal(5, Xunit.Assert.IsType<Word>(Trip.Of<ITree<string>>(new Word { Length = 5 })).Length);
                Xunit.Assert.Throws<PackException>(() => Packer.Unpack<ITree<string>>(Packer.Pack<ITree<int>>(new IntLeaf { Int = 4 })));
                Xunit.Assert.Equal([3], Xunit.Assert.IsType<Box<List<int>>>(
                    Trip.Of<ISimple>(new Box<List<int>> { Content = [3] })).Content!);
                Xunit.Assert.Throws<PackException>(() => Packer.Pack<ISimple>(new Box<string>()));
            }
        }
        """);
}
