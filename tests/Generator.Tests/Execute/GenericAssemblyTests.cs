namespace BlitQueue.Generator.Tests.Execute;

/// <summary>
/// What stands for a type parameter may be named far from the message: elsewhere, privately, by inference, or not at all.
/// </summary>
public class GenericAssemblyTests
{
    [Fact]
    public void The_message_and_its_argument_may_be_of_two_assemblies() => LoadedPair.Run(
        """
        namespace Library;
        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } public List<T>? More { get; set; } }
        [QueueMessage, PackUnion(0, typeof(Leaf<>))] public partial interface ITree<T>;
        [QueueMessage] public sealed partial class Leaf<T> : ITree<T> { public Box<T[]>? Values { get; set; } }
        public static class Bus
        {
            public static byte[] Send<T>(T value) => Packer.Pack(new Box<T> { Content = value });
        }
        """,
        """
        using Library;

        [QueueMessage] public partial class Order { public string? Name { get; set; } }
        public enum Color { Red, Green }
        [QueueMessage] public partial class Holder { public Box<Color>? Color { get; set; } public ITree<Order?>? Tree { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal(
                    "n", Packer.Unpack<Box<Order>>(Packer.Pack(new Box<Order> { Content = new() { Name = "n" } }))!.Content!.Name);
                var holder = new Holder { Color = new() { Content = Color.Green },
                    Tree = new Leaf<Order?> { Values = new() { Content = [null, new() { Name = "t" }] } } };
                var back = Packer.Unpack<Holder>(Packer.Pack(in holder))!;
                Xunit.Assert.Equal(Color.Green, back.Color!.Content);
                Xunit.Assert.Equal("t", ((Leaf<Order?>)back.Tree!).Values!.Content![1]!.Name);

                // Nothing here says that Bus has to do with messages, or that it is given a list.
                Xunit.Assert.Equal("b", Packer.Unpack<Box<Order>>(Bus.Send(new Order { Name = "b" }))!.Content!.Name);
                Xunit.Assert.Equal([3], Packer.Unpack<Box<LinkedList<int>>>(Bus.Send(new LinkedList<int>([3])))!.Content!);
                var fault = Xunit.Assert.Throws<System.Reflection.TargetInvocationException>(
                    () => typeof(Bus).GetMethod("Send")!.MakeGenericMethod(typeof(SortedSet<int>)).Invoke(null, [new SortedSet<int>()]));
                Xunit.Assert.Contains("SortedSet", Xunit.Assert.IsType<NotSupportedException>(fault.InnerException).Message);
            }
        }
        """);

    [Fact]
    public void What_another_assembly_makes_of_a_type_argument_is_followed_there() => LoadedPair.Run(
        """
        namespace Library;
        [QueueMessage] internal partial class Box<T> { public T? Content { get; set; } }
        [QueueMessage] public partial class Crate<T> { public T? Content { get; set; } }

        public interface ISender { byte[] Send<T>(T value); }

        public class Sender : ISender
        {
            byte[] ISender.Send<T>(T value) => Hidden(value);
            public virtual byte[] Store<T>(T value) => Hidden(new List<T> { value });
            private static byte[] Hidden<U>(U value) => Packer.Pack(new Box<Dictionary<string, U>> { Content = new() { ["a"] = value } });
        }

        public class Store<T>
        {
            public byte[] Put(T value) => Packer.Pack(new Crate<T[]> { Content = [value] });
            public byte[] Pair<U>(U value) => Packer.Pack(new Crate<(T, U)> { Content = (default!, value) });
            public static class Nested { public static byte[] Queue(T value)
                => Packer.Pack(new Crate<Queue<T>> { Content = new([value]) }); }
        }

        public static class Extensions
        {
            public static int Packed<K, V>(this Dictionary<K, V> map) where K : notnull
                => Packer.Pack(new Crate<List<KeyValuePair<K, V>>> { Content = [.. map] }).Length;
        }
        """,
        """
        using Library;

        public class Own : Store<TimeSpan>;

        public static class Probe
        {
            static byte[] Further<T>(T value) => new Store<Stack<T>>().Put(new([value]));

            public static void Run()
            {
                ISender sender = new Sender();
                Xunit.Assert.NotEmpty(sender.Send(new List<int> { 1 }));
                Xunit.Assert.NotEmpty(sender.Send((1, "a")));
                Xunit.Assert.NotEmpty(new Sender().Store(DayOfWeek.Friday));
                Xunit.Assert.NotEmpty(new Store<decimal>().Put(1.5m));
                Xunit.Assert.NotEmpty(new Own().Put(TimeSpan.Zero));
                Xunit.Assert.NotEmpty(new Store<long>().Pair(new HashSet<int> { 5 }));
                Xunit.Assert.NotEmpty(Store<Guid>.Nested.Queue(Guid.Empty));
                Xunit.Assert.NotEqual(0, new Dictionary<string, int> { ["b"] = 2 }.Packed());
                Xunit.Assert.NotEmpty(Further(new LinkedList<byte>()));
            }
        }
        """);

    [Fact]
    public void Type_arguments_are_followed_through_generic_types_and_methods() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } }

        public static class Box
        {
            public static Box<T> Of<T>(T value) => new Box<T> { Content = value };
            public static byte[] Packed<T>(this T value) => Packer.Pack(Of(value));
        }

        public class Store<T>
        {
            private byte[] _bytes = [];
            public void Set(T value) => _bytes = Packer.Pack(new Box<List<T>> { Content = [value] });
            public T Get() => Packer.Unpack<Box<List<T>>>(_bytes)!.Content![0];
            public U Map<U>(Func<T, U> map) { var box = new Box<(T, U)> { Content = (Get(), map(Get())) };
                return Packer.Unpack<Box<(T, U)>>(Packer.Pack(in box))!.Content.Item2; }
        }

        public static class Probe
        {
            static T Back<T>(Box<T> box) => Packer.Unpack<Box<T>>(Packer.Pack(in box))!.Content!;

            public static void Run()
            {
                Xunit.Assert.Equal([1], Back(Box.Of(new List<int> { 1 })));
                Xunit.Assert.Equal((1, DayOfWeek.Friday), Back(Box.Of((1, DayOfWeek.Friday))));
                Xunit.Assert.NotEmpty(new Queue<long>().Packed());
                var store = new Store<DayOfWeek>();
                store.Set(DayOfWeek.Monday);
                Xunit.Assert.Equal(DayOfWeek.Monday, store.Get());
                Xunit.Assert.Equal([DayOfWeek.Monday], store.Map(day => new[] { day }));
                Xunit.Assert.Equal(3, Local(new Stack<int>([3])).Pop());
                static V Local<V>(V value) => Back(Box.Of(value));
            }
        }
        """);

    [Fact]
    public void Private_types_are_packed_from_where_they_can_be_named() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } }

        namespace Shop
        {
            public partial class Outer
            {
                private enum Mine { A, B }
                protected partial struct Inner
                {
                    [QueueMessage] private partial class Order { public int Id { get; set; } }
                    internal static int Back() => Packer.Unpack<Box<List<Order>>>(
                        Packer.Pack(new Box<List<Order>> { Content = [new() { Id = 7 }] }))!.Content![0].Id
                        + Packer.Unpack<Box<Order>>(Packer.Pack(new Box<Order> { Content = new() { Id = 7 } }))!.Content!.Id;
                }

                public static bool Run() => Inner.Back() == 14
                    && Packer.Unpack<Box<Mine>>(Packer.Pack(new Box<Mine> { Content = Mine.B }))!.Content == Mine.B
                    && Packer.Unpack<Box<(Mine, string)>>(
                        Packer.Pack(new Box<(Mine, string)> { Content = (Mine.B, "x") }))!.Content == (Mine.B, "x");
            }
        }

        public static class Probe { public static void Run() => Xunit.Assert.True(Shop.Outer.Run()); }
        """);

    [Fact]
    public void The_schema_says_what_stands_for_the_parameter() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } }
        [QueueMessage] public partial class Line { public int Count { get; set; } public int Computed { get => Count; set { } } }
        [QueueMessage] public partial class Two<A, B> where B : struct { public Dictionary<string, A>? Map { get; set; }
            public Box<A>? Box { get; set; } public (B, A, Line?) All { get; set; } public B? Maybe { get; set; } }
        [QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Tolerant<T> {
            [PackOrder(2)] public T? Value { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal("#0{Content:tuple<i32>}", Box<int>.Schema.Text);
                Xunit.Assert.Equal("#0{Content:tuple<i32?>}", Box<int?>.Schema.Text);
                Xunit.Assert.Equal("#0{Content:string}", Box<string>.Schema.Text);
                Xunit.Assert.Equal("#0{Content:list<i32>}", Box<List<int>>.Schema.Text);
                Xunit.Assert.Equal("#0{Content:#1}#1{Content:tuple<i32>}", Box<Box<int>>.Schema.Text);
                Xunit.Assert.Equal("#0{Content:map<string,#1>}#1{Count:i32,Computed:i32}", Box<Dictionary<string, Line>>.Schema.Text);
                Xunit.Assert.Equal(
                    "#0{Map:map<string,#1>,Box:#2,All:tuple<i32,#1,#1>,Maybe:tuple<i32>?}#1{Count:i32,Computed:i32}#2{Content:#1}",
                    Two<Line, int>.Schema.Text);
                Xunit.Assert.Equal("#0tolerant{Value@2:tuple<f64>}", Tolerant<double>.Schema.Text);
                Xunit.Assert.NotEqual(Box<int>.Schema.Fingerprint, Box<uint>.Schema.Fingerprint);
                Xunit.Assert.Same(Box<int>.Schema, Box<int>.Schema);
                Xunit.Assert.True(Box<Line>.Schema.RunsUserCode);
                Xunit.Assert.True(Box<IEnumerable<int>>.Schema.RunsUserCode);
                Xunit.Assert.False(Box<List<int>>.Schema.RunsUserCode);
                Xunit.Assert.Equal(["Content: tuple<i32> here, string there"], Box<int>.Schema.Difference(Box<string>.Schema.Text));
            }
        }
        """);

    [Fact]
    public void Bad_bytes_are_a_pack_exception() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } public List<T>? Many { get; set; }
            public Dictionary<int, T>? Map { get; set; } }
        [QueueMessage] public partial struct Dot { public string? Label; public int X; }

        public static class Probe
        {
            static void Check<T>(T value)
            {
                var bytes = Packer.Pack(new Box<T> { Content = value, Many = [value, value], Map = new() { [1] = value } });
                var random = new Random(1);
                var faults = 0;
                for (var i = 0; i < 5000; i++)
                {
                    var bad = (byte[])bytes.Clone();
                    bad[random.Next(bad.Length)] = (byte)random.Next(256);
                    if (i % 3 == 0) bad = bad[..random.Next(bad.Length)];
                    Box<T>? box = i % 2 == 0 ? null : new Box<T> { Content = value, Many = [value] };
                    try { Packer.Unpack(bad, ref box); }
                    catch (PackException) { faults++; }
                }

                Xunit.Assert.True(faults > 0);
            }

            public static void Run()
            {
                Check(1);
                Check<decimal?>(1.5m);
                Check("text");
                Check(new Dot { Label = "l" });
                Check<Dot?>(new Dot());
                Check(new[] { 1, 2 });
                Check((1, "a", new List<string> { "b" }));
                Check(new Box<string> { Content = "x", Many = ["y"] });
                var fault = Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Box<int>>(Packer.Pack(new Box<long>())));
                Xunit.Assert.Equal("Content", fault.Member);
            }
        }
        """);

    [Fact]
    public void A_queue_takes_it_and_a_view_looks_into_it() => LoadedAssembly.Run("""
        [QueueMessage] public partial class Box<T> { public int Id { get; set; } public T? Content { get; set; }
            public string? Name { get; set; } public Line? Line { get; set; } }
        [QueueMessage] public partial class Line { public int Count { get; set; } }
        [QueueMessage] public partial class Holder { public Box<decimal>? Box { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var directory = System.IO.Path.Combine(System.IO.Path.GetTempPath(), Guid.NewGuid().ToString("N"));
                try
                {
                    using var queue = MappedQueue<Box<List<Line>>>.Open(directory, new() { SegmentSize = 65536 });
                    var box = new Box<List<Line>> { Id = 1, Content = [new() { Count = 2 }] };
                    queue.Enqueue(in box);
                    Box<List<Line>>? next = null;
                    Xunit.Assert.True(queue.TryDequeue(ref next));
                    Xunit.Assert.Equal(2, next!.Content![0].Count);
                    Xunit.Assert.Throws<SchemaMismatchException>(() => MappedQueue<Box<List<int>>>.Open(directory));
                }
                finally
                {
                    System.IO.Directory.Delete(directory, recursive: true);
                }

                var view = new Box<decimal>.View(
                    Packer.Pack(new Box<decimal> { Id = 7, Content = 1.5m, Name = "n", Line = new() { Count = 3 } }));
                Xunit.Assert.Equal((7, "n", 3, 16), (view.Id, view.Name.ToString(), view.Line.Count, view.Content.Bytes.Length));
                Xunit.Assert.Equal(1.5m, view.ToObject()!.Content);
                Xunit.Assert.Equal(8, new Holder.View(Packer.Pack(new Holder { Box = new() { Id = 8 } })).Box.Id);
            }
        }
        """);

    [Fact]
    public void Members_may_be_appended()
    {
        (LoadedAssembly? older, LoadedAssembly? newer) = (LoadedAssembly.Of(Versions("")),
            LoadedAssembly.Of(Versions("public List<T>? More { get; set; } public int Number { get; set; } = 5;")));
        Assert.Equal("Monday 5", newer.Call<string>("Read", older.Call<byte[]>("Write")));
        Assert.Equal("Monday", older.Call<string>("Read", newer.Call<byte[]>("Write")));
    }

    private static string Versions(string appended) => $$"""
        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } {{appended}} }

        public static class Probe
        {
            public static byte[] Write() => Packer.Pack(new Box<DayOfWeek> { Content = DayOfWeek.Monday });
            public static string Read(byte[] bytes)
            {
                var box = Packer.Unpack<Box<DayOfWeek>>(bytes)!;
                return $"{box.Content}{{(appended.Length > 0 ? " {box.Number}" : "")}}";
            }
        }
        """;
}
