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
                Xunit.Assert.Equal("s", Back(new Box<Box<List<Line?>>> { Content = new() { Content = [null, new() { Sku = "s" }] } }).Content![1]!.Sku);
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
                    Array = [a, b], List = [a, b], Nullables = [a, default], NullableArray = [default, b], Set = [a, b], Stack = new([a, b]), Enumerable = [a, b], Memory = new[] { a, b },
                    Immutable = [a, b], Dictionary = new() { [k] = a }, Sorted = new() { ["s"] = [a, b] }, Tuple = (a, 1), Reference = new(a, k), Pair = new(k, b),
                    Grid = new[,] { { a, b } }, Jagged = [[a], [b, a]], Tuples = [(a, k)], Box = new() { Content = a }, Boxes = [new() { Content = [a] }], 
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
                Xunit.Assert.Equal(from.Immutable, to.Immutable);
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
}
