namespace BlitQueue.Generator.Tests.Execute;

public class ReuseTests
{
    [Fact]
    public void Instances_lists_arrays_and_equal_strings_stay() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Order
        {
            public string? Customer { get; set; }
            public List<Item>? Items { get; set; }
            public int[]? Numbers { get; set; }
            public Item? Single { get; set; }
            public Item[]? Many { get; set; }
        }

        [QueueMessage] public sealed partial class Item { public string? Name { get; set; } public int Count { get; set; } }

        public static class Probe
        {
            static Order Make(int items, string customer) => new()
            {
                Customer = customer,
                Items = [.. System.Linq.Enumerable.Select(System.Linq.Enumerable.Range(0, items), i
                    => new Item { Name = "n" + i, Count = i })],
                Numbers = [1, 2, 3], Single = new() { Name = "s" }, Many = [new() { Name = "a" }, new() { Name = "b" }],
            };

            public static void Run()
            {
                Order? order = null;
                Packer.Unpack(Packer.Pack(Make(3, "c")), ref order);
                var (same, customer, items, first, numbers, single, many, element) =
                    (order!, order!.Customer, order.Items!, order.Items![0], order.Numbers, order.Single, order.Many, order.Many![1]);

                Packer.Unpack(Packer.Pack(Make(2, "c")), ref order);
                Xunit.Assert.Same(same, order);
                Xunit.Assert.Same(customer, order.Customer);
                Xunit.Assert.Same(items, order.Items);
                Xunit.Assert.Equal(2, items.Count);
                Xunit.Assert.Same(first, items[0]);
                Xunit.Assert.Same(numbers, order.Numbers);
                Xunit.Assert.Same(single, order.Single);
                Xunit.Assert.Same(many, order.Many);
                Xunit.Assert.Same(element, order.Many![1]);

                Packer.Unpack(Packer.Pack(Make(5, "d")), ref order);
                Xunit.Assert.Equal(("d", 5), (order.Customer, items.Count));
                Xunit.Assert.Equal("n4", items[4].Name);

                Packer.Unpack(Packer.Pack(new Order()), ref order);
                Xunit.Assert.Same(same, order);
                Xunit.Assert.Null(order.Items);
                Xunit.Assert.Null(order.Customer);

                Packer.Unpack(Packer.Pack<Order>(null), ref order);
                Xunit.Assert.Null(order);
            }
        }
        """);

    [Fact]
    public void A_second_unpack_of_equal_bytes_allocates_nothing() => LoadedAssembly.Run("""
        [QueueMessage]
        public partial class Order { public long Id { get; set; } public string? Customer { get; set; }
            public List<Item>? Items { get; set; } public Dot Where { get; set; } public Dot? Maybe { get; set; } }

        [QueueMessage] public sealed partial class Item { public string? Name { get; set; } public int[]? Numbers { get; set; } }

        [QueueMessage] public partial struct Dot { public int X; public string? Label; }

        public static class Probe
        {
            public static void Run()
            {
                var bytes = Packer.Pack(
                    new Order { Id = 1, Customer = "caf\u00e9", Items = [new() { Name = "x", Numbers = [1] }],
                    Where = new() { Label = "l" }, Maybe = new Dot { Label = "m" } });
                Order? order = null;
                for (var i = 0; i < 50; i++)
                    Packer.Unpack(bytes, ref order);

                var before = GC.GetAllocatedBytesForCurrentThread();
                Packer.Unpack(bytes, ref order);
                Xunit.Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
            }
        }
        """);

    [Fact]
    public void Elements_of_a_shared_name_have_helpers_of_their_own() => LoadedAssembly.Run("""
        namespace A { [QueueMessage] public sealed partial class Item { public int X { get; set; } } }
        namespace B { [QueueMessage] public sealed partial class Item { public string? Y { get; set; } } }

        [QueueMessage]
        public sealed partial class Both
        {
            public A.Item? First { get; set; }
            public B.Item? Second { get; set; }
            public List<string>? Simple { get; set; }
            public List<string?>? Nullable { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var both = Packer.Unpack<Both>(
                    Packer.Pack(new Both { First = new() { X = 1 }, Second = new() { Y = "y" }, Simple = ["p"], Nullable = [null] }))!;
                Xunit.Assert.Equal((1, "y", "p", null), (both.First!.X, both.Second!.Y, both.Simple![0], both.Nullable![0]));
                Xunit.Assert.Equal("#0{First:#1,Second:#2,Simple:list<string>,Nullable:list<string>}#1{X:i32}#2{Y:string}",
                    Both.Schema.Text);
            }
        }
        """);

    [Fact]
    public void An_immutable_message_is_new_but_preserves_equal_strings() => LoadedAssembly.Run("""
        [QueueMessage] public partial record Trade(string Symbol, List<int> Lots);

        public static class Probe
        {
            public static void Run()
            {
                Trade? trade = null;
                Packer.Unpack(Packer.Pack(new Trade("ABC", [1])), ref trade);
                var old = trade!;
                Packer.Unpack(Packer.Pack(new Trade("ABC", [2])), ref trade);
                Xunit.Assert.NotSame(old, trade);
                Xunit.Assert.Same(old.Symbol, trade.Symbol);
                Xunit.Assert.NotSame(old.Lots, trade.Lots);
                Xunit.Assert.Equal([1], old.Lots);
            }
        }
        """);

    [Fact]
    public void An_array_of_a_derived_type_is_replaced() => LoadedAssembly.Run("""
        [QueueMessage, PackUnion(0, typeof(Circle)), PackUnion(1, typeof(Square))] public partial interface IShape;
        [QueueMessage] public sealed partial class Circle : IShape { public int Radius { get; set; } }
        [QueueMessage] public sealed partial class Square : IShape { public int Side { get; set; } }
        [QueueMessage] public partial class Animal { public string? Name { get; set; } }
        public sealed class Cat : Animal;
        [QueueMessage] public partial class Box<T> { public T[]? Content { get; set; } public T[,]? Grid { get; set; }
            public (int, T[]) Pair { get; set; } = (0, []); }

        [QueueMessage]
        public partial class Order
        {
            public IShape?[]? Shapes { get; set; }
            public IShape[][]? Jagged { get; set; }
            public List<IShape[]>? Listed { get; set; }
            public Dictionary<int, IShape[]>? Keyed { get; set; }
            public IShape[,]? Grid { get; set; }
            public IShape[,][]? Mixed { get; set; }
            public (int, IShape[]) Pair { get; set; } = (0, []);
            public ArraySegment<IShape> Segment { get; set; }
            public IList<IShape>? Interface { get; set; }
            public Animal?[]? Animals { get; set; }
            public IEnumerable<int>[]? Sequences { get; set; }
            public Box<IShape>? Box { get; set; }
        }

        public static class Probe
        {
            static Order Covariant() => new()
            {
                Shapes = new Circle[1], Jagged = new Circle[1][] { new Circle[1] }, Listed = [new Circle[1]],
                Keyed = new() { [1] = new Circle[1] },
                Grid = new Circle[1, 1], Mixed = new Circle[1, 1][] { { new Circle[1] } }, Pair = (1, new Circle[1]),
                Segment = new ArraySegment<IShape>(new Circle[] { new() }), Interface = new Circle[1],
                Animals = new Cat[1], Sequences = new List<int>[] { [1] },
                Box = new() { Content = new Circle[1], Grid = new Circle[1, 1], Pair = (1, new Circle[1]) },
            };

            static Order Squares() => new()
            {
                Shapes = [new Square()], Jagged = [[new Square()]], Listed = [[new Square()]], Keyed = new() { [1] = [new Square()] },
                Grid = new IShape[1, 1] { { new Square() } }, Mixed = new IShape[1, 1][] { { [new Square()] } }, Pair = (1, [new Square()]),
                Segment = new IShape[] { new Square() }, Interface = [new Square()],
                Animals = [new Animal { Name = "a" }], Sequences = [new HashSet<int> { 1, 2 }],
                Box = new() { Content = [new Square()], Grid = new IShape[1, 1] { { new Square() } }, Pair = (1, [new Square()]) },
            };

            public static void Run()
            {
                // One member after the other: each must bear it by itself.
                foreach (var property in typeof(Order).GetProperties(
                    System.Reflection.BindingFlags.Public | System.Reflection.BindingFlags.Instance))
                {
                    var given = new Order();
                    property.SetValue(given, property.GetValue(Covariant()));
                    var sent = new Order();
                    property.SetValue(sent, property.GetValue(Squares()));
                    var bytes = Packer.Pack(in sent);
                    Packer.Unpack(bytes, ref given!);
                    Xunit.Assert.Equal(bytes, Packer.Pack(in given));
                }

                // What is covariant packs.
                _ = Packer.Pack(Covariant());
                var exact = new IShape?[] { new Circle() };
                var kept = new Order { Shapes = exact };
                Packer.Unpack(Packer.Pack(new Order { Shapes = [new Circle { Radius = 2 }] }), ref kept!);
                Xunit.Assert.Same(exact, kept.Shapes);
            }
        }
        """);
}
