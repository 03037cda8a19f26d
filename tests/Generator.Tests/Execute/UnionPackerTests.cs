namespace BlitQueue.Generator.Tests.Execute;

public class UnionPackerTests
{
    // The assembly that the union stands in, which knows one of its cases only.
    private const string Below = """
        namespace Shapes
        {
            public interface IShape { double Area { get; } }
            public abstract class Animal { public string? Name { get; set; } }
            [QueueMessage] public sealed partial class Circle : IShape {
                public double Radius { get; set; } public double Area => Radius * Radius * Math.PI; }
        }
        """;

    private const string Above = """
        using Shapes;

        [QueueMessage] public sealed partial class Square : IShape { public double Side { get; set; } public double Area => Side * Side; }
        [QueueMessage] public partial struct Dot : IShape { public int X; public readonly double Area => 0; }
        [QueueMessage] public partial class Dog : Animal { public int Age { get; set; } }
        [QueueMessage] public sealed partial class Pug : Dog;

        [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle)), PackUnion(300, typeof(Square)), PackUnion(2, typeof(Dot))]
        public sealed partial class ShapePacker;

        public static partial class Packers
        {
            [PackUnionOf(typeof(Animal)), PackUnion(1, typeof(Dog)), PackUnion(2, typeof(Pug))]
            internal partial class AnimalPacker;
        }

        [QueueMessage]
        public partial class Drawing
        {
            [PackWith(typeof(ShapePacker))] public IShape? Frame { get; set; }
            [PackWith(typeof(ShapePacker))] public List<IShape?>? Shapes { get; set; }
            [PackWith(typeof(ShapePacker))] public IReadOnlyDictionary<string, IShape[]>? Named { get; set; }
            [PackWith(typeof(ShapePacker))] public (int, IShape) Pair { get; set; } = (0, new Circle());
            [PackWith(typeof(Packers.AnimalPacker))] public Animal? Pet { get; set; }
        }

        [QueueMessage] public partial class Few { [PackWith(typeof(FewPacker))] public IShape? Frame { get; set; } }
        [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle))] public partial class FewPacker;

        public static class Probe
        {
            static Drawing Make() => new()
            {
                Frame = new Square { Side = 2 }, Shapes = [new Circle { Radius = 1 }, null, new Dot { X = 5 }],
                Named = new Dictionary<string, IShape[]> { ["a"] = [new Square { Side = 3 }] }, Pair = (7, new Circle { Radius = 4 }),
                Pet = new Pug { Name = "p", Age = 3 },
            };

            public static byte[] Pack() => Packer.Pack(Make());

            public static bool TryUnpack(byte[] bytes)
            {
                Drawing? drawing = Make();
                try { Packer.Unpack(bytes, ref drawing); return true; }
                catch (PackException) { return false; }
            }

            public static void Run()
            {
                Drawing? drawing = null;
                for (var round = 0; round < 2; round++)
                {
                    var (frame, first) = (drawing?.Frame, drawing?.Shapes![0]);
                    Packer.Unpack(Pack(), ref drawing);
                    if (round > 0)
                        Xunit.Assert.True(ReferenceEquals(frame, drawing!.Frame) && ReferenceEquals(first, drawing.Shapes![0]));
                }

                Xunit.Assert.Equal(4, drawing!.Frame!.Area);
                Xunit.Assert.Equal(5, ((Dot)drawing.Shapes![2]!).X);
                Xunit.Assert.Null(drawing.Shapes[1]);
                Xunit.Assert.Equal(9, drawing.Named!["a"][0].Area);
                Xunit.Assert.Equal((7, 4), (drawing.Pair.Item1, ((Circle)drawing.Pair.Item2).Radius));
                Xunit.Assert.Equal(("p", 3), (drawing.Pet!.Name, ((Pug)drawing.Pet).Age));

                Packer.Unpack(Packer.Pack(new Drawing()), ref drawing);
                Xunit.Assert.Null(drawing.Frame);
                Xunit.Assert.Null(drawing.Shapes);
                Xunit.Assert.False(Few.Schema.RunsUserCode);

                var view = Drawing.View.From(Pack());
                Xunit.Assert.Equal(4, view.Frame!.Area);
                Xunit.Assert.Equal(3, view.Shapes.Count);
                Xunit.Assert.Equal(1, ((Circle)view.Shapes[0].Unpack<IShape, ShapePacker>()!).Radius);

                var refused = Xunit.Assert.Throws<PackException>(() => Packer.Pack(new Few { Frame = new Square() }));
                Xunit.Assert.Contains("Square is no case of Shapes.IShape", refused.Message);
                refused = Xunit.Assert.Throws<PackException>(() => Packer.Unpack<Few>(Packer.Pack(new Drawing { Frame = new Square() })));
                Xunit.Assert.Contains("300 is no tag of Shapes.IShape", refused.Message);
            }

            public static void Queue()
            {
                var path = System.IO.Directory.CreateTempSubdirectory().FullName;
                try
                {
                    using var queue = MappedQueue<Drawing>.Open(path);
                    queue.Enqueue(Make());
                    Drawing? drawing = null;
                    Xunit.Assert.True(queue.TryDequeue(ref drawing));
                    Xunit.Assert.Equal(4, drawing!.Frame!.Area);
                }
                finally { System.IO.Directory.Delete(path, recursive: true); }
            }
        }
        """;

    [Fact]
    public void Cases_of_another_assembly_are_packed_with_a_packer() => LoadedAssembly.Of(Below).Above(Above).Call<object>("Run");

    [Fact]
    public void A_queue_carries_messages_with_such_members() => LoadedAssembly.Of(Below).Above(Above).Call<object>("Queue");

    [Fact]
    public void A_packer_of_a_third_assembly_is_known_by_its_attribute() => LoadedAssembly.Of(Below).Above("""
        namespace Middle
        {
            [QueueMessage] public partial struct Dot : Shapes.IShape { public int X; public readonly double Area => 0; }
            [PackUnionOf(typeof(Shapes.IShape)), PackUnion(2, typeof(Dot))] public sealed partial class ShapePacker;
        }
        """).Above("""
        [QueueMessage] public partial class Note { [PackWith(typeof(Middle.ShapePacker))] public Shapes.IShape[]? All { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var note = Packer.Unpack<Note>(Packer.Pack(new Note { All = [new Middle.Dot { X = 1 }] }))!;
                Xunit.Assert.Equal(1, ((Middle.Dot)note.All![0]).X);
            }
        }
        """).Call<object>("Run");

    [Fact]
    public void The_bytes_are_those_of_a_union_that_lists_its_cases_itself() => LoadedAssembly.Run("""
        [QueueMessage, PackUnion(5, typeof(Leaf))] public partial interface INode;
        [QueueMessage] public sealed partial class Leaf : INode { public int X { get; set; } }
        [PackUnionOf(typeof(INode)), PackUnion(5, typeof(Leaf))] public partial class NodePacker;

        [QueueMessage] public partial class A { public INode? One { get; set; } public List<INode>? All { get; set; } }
        [QueueMessage] public partial class B { [PackWith(typeof(NodePacker))] public INode? One { get; set; }
            [PackWith(typeof(NodePacker))] public List<INode>? All { get; set; } }
        [QueueMessage] public partial class C { public List<INode>? Simple { get; set; }
            [PackWith(typeof(NodePacker))] public List<INode>? All { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Equal(A.Schema.Text, B.Schema.Text);
                Xunit.Assert.Equal(Packer.Pack(new A { One = new Leaf { X = 1 }, All = [null!, new Leaf()] }),
                    Packer.Pack(new B { One = new Leaf { X = 1 }, All = [null!, new Leaf()] }));
                Xunit.Assert.Equal(Packer.Pack(new A()), Packer.Pack(new B()));
                Xunit.Assert.Equal(
                    2, Packer.Unpack<C>(Packer.Pack(new C { Simple = [new Leaf()], All = [new Leaf { X = 2 }] }))!.All!.ConvertAll(
                    node => ((Leaf)node).X)[0]);
            }
        }
        """);

    [Fact]
    public void A_closed_form_of_a_generic_interface_has_cases() => LoadedAssembly.Run("""
        public interface IExt<T>;
        [QueueMessage] public sealed partial class Text : IExt<string> { public int Id { get; set; } }
        [QueueMessage] public sealed partial class Simple<T> : IExt<T> { public T? Value { get; set; } }
        [QueueMessage] public sealed partial class Pair<T, U> : IExt<U>, IComparable<T> {
            public T? One { get; set; } public int CompareTo(T? other) => 0; }

        [PackUnionOf(typeof(IExt<string>)), PackUnion(0, typeof(Text)), PackUnion(1, typeof(Simple<>)),
            PackUnion(2, typeof(Pair<int, string>))]
        public sealed partial class TextPacker;
        [PackUnionOf(typeof(IExt<int>)), PackUnion(1, typeof(Simple<int>))]
        public sealed partial class NumberPacker;

        [QueueMessage]
        public partial class Order
        {
            [PackWith(typeof(TextPacker))] public List<IExt<string>>? Texts { get; set; }
            [PackWith(typeof(NumberPacker))] public IExt<int>? Number { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var order = new Order {
                    Texts = [new Text { Id = 1 }, new Simple<string> { Value = "x" }, new Pair<int, string> { One = 2 }],
                    Number = new Simple<int> { Value = 3 } };
                var again = Packer.Unpack<Order>(Packer.Pack(order))!;
                Xunit.Assert.Equal(1, ((Text)again.Texts![0]).Id);
                Xunit.Assert.Equal("x", ((Simple<string>)again.Texts[1]).Value);
                Xunit.Assert.Equal(2, ((Pair<int, string>)again.Texts[2]).One);
                Xunit.Assert.Equal(3, ((Simple<int>)again.Number!).Value);
            }
        }
        """);

    [Fact]
    public void Bad_bytes_do_no_worse_than_an_exception_of_ours()
    {
        LoadedAssembly loaded = LoadedAssembly.Of(Below).Above(Above);
        byte[] bytes = loaded.Call<byte[]>("Pack");
        Assert.True(loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        var random = new Random(16);
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

    [Fact]
    public void An_elements_own_packer_packs_each() => LoadedAssembly.Run("""
        public sealed class Minutes : IPacker<TimeSpan>
        {
            public static void Pack(ref PackWriter writer, scoped in TimeSpan value) => writer.WriteValue((int)value.TotalMinutes);
            public static void Unpack(ref PackReader reader, scoped ref TimeSpan value)
                => value = TimeSpan.FromMinutes(reader.ReadValue<int>());
        }

        [QueueMessage]
        public partial class Plan
        {
            public TimeSpan[]? Exact { get; set; }
            [PackWith(typeof(Minutes))] public TimeSpan[]? Rough { get; set; }
            [PackWith(typeof(Minutes))] public Dictionary<TimeSpan, int>? Keys { get; set; }
        }

        public static class Probe
        {
            public static void Run()
            {
                var time = TimeSpan.FromSeconds(119);
                var plan = Packer.Unpack<Plan>(
                    Packer.Pack(new Plan { Exact = [time], Rough = [time, time], Keys = new() { [time] = 1 } }))!;
                Xunit.Assert.Equal([time], plan.Exact!);
                Xunit.Assert.Equal([TimeSpan.FromMinutes(1), TimeSpan.FromMinutes(1)], plan.Rough!);
                Xunit.Assert.Equal(1, plan.Keys![TimeSpan.FromMinutes(1)]);
                Xunit.Assert.Equal("#0{Exact:list<timespan>,Rough:list<custom>,Keys:map<custom,i32>}", Plan.Schema.Text);
            }
        }
        """);
}
