using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Execute;

public class UnionTests
{
    private const string Shapes = """
        [QueueMessage, PackUnion(0, typeof(Circle)), PackUnion(1, typeof(Square)), PackUnion(2, typeof(Tile)),
            PackUnion(65535, typeof(Dot)), PackUnion(300, typeof(Group))]
        public partial interface IShape;
        [QueueMessage] public sealed partial record Circle(double Radius) : IShape;
        [QueueMessage] public partial class Square : IShape { public int Side { get; set; } public string? Name { get; set; } }
        [QueueMessage] public sealed partial class Tile : Square { public int Color { get; set; } }
        public class Unlisted : Square;
        [QueueMessage] public partial struct Dot : IShape { public int X; public string? Label; }
        [QueueMessage] public sealed partial class Group : IShape {
            public List<IShape?>? Shapes { get; set; } public IShape? Main { get; set; } public IShape?[]? Others { get; set; } }
        """;

    private const string Probe = """
        public static class Probe
        {
            public static byte[] Group() => Packer.Pack<IShape>(new Group
            {
                Shapes = [new Square { Side = 1, Name = "s" }, null, new Circle(2), new Dot { X = 1, Label = "l" }],
                Main = new Tile { Side = 2, Color = 3 }, Others = [],
            });

            public static byte[] Square(int side) => Packer.Pack<IShape>(new Square { Side = side });

            public static bool TryUnpack(byte[] bytes)
            {
                IShape? shape = new Group { Shapes = [new Circle(1), new Square()], Main = new Dot() };
                try { Packer.Unpack(bytes, ref shape); return true; }
                catch (PackException) { return false; }
            }

            public static string? Fault(byte[] bytes)
            {
                try { Packer.Unpack<IShape>(bytes); return null; }
                catch (PackException e) { return e.Message; }
            }
        }
        """;

    private static readonly LoadedAssembly Loaded = LoadedAssembly.Of(Shapes, Probe);

    [Fact]
    public void Every_case_comes_back_as_what_it_was() => LoadedAssembly.Run(Shapes, """
        public static class Probe
        {
            public static void Run()
            {
                Xunit.Assert.Null(Packer.Unpack<IShape>(Packer.Pack<IShape>(null)));
                Xunit.Assert.Equal(new Circle(1.5), Packer.Unpack<IShape>(Packer.Pack<IShape>(new Circle(1.5))));
                Xunit.Assert.Equal(new Dot { X = 3, Label = "d" }, Packer.Unpack<IShape>(
                    Packer.Pack<IShape>(new Dot { X = 3, Label = "d" })));
                var tile = Xunit.Assert.IsType<Tile>(
                    Packer.Unpack<IShape>(Packer.Pack<IShape>(new Tile { Side = 1, Color = 2, Name = "t" })));
                Xunit.Assert.Equal((1, 2, "t"), (tile.Side, tile.Color, tile.Name));
                var group = new Group { Shapes = [new Circle(1), null, new Group { Main = new Square { Side = 4 } }, new Dot()],
                    Main = new Square { Side = 5 }, Others = [null, new Tile()] };
                var back = Xunit.Assert.IsType<Group>(Packer.Unpack<IShape>(Packer.Pack<IShape>(group)));
                Xunit.Assert.Equal(new Circle(1), back.Shapes![0]);
                Xunit.Assert.Null(back.Shapes[1]);
                Xunit.Assert.Equal(4, ((Square)((Group)back.Shapes[2]!).Main!).Side);
                Xunit.Assert.Equal(5, ((Square)back.Main!).Side);
                Xunit.Assert.IsType<Tile>(back.Others![1]);
            }
        }
        """);

    [Fact]
    public void A_given_instance_of_the_same_case_is_filled_another_is_replaced() => LoadedAssembly.Run(Shapes, """
        public static class Probe
        {
            public static void Run()
            {
                var square = new Square { Name = "n" };
                IShape? shape = square;
                Packer.Unpack(Packer.Pack<IShape>(new Square { Side = 3, Name = "n" }), ref shape);
                Xunit.Assert.Same(square, shape);
                Xunit.Assert.Equal(3, square.Side);

                shape = new Tile();
                Packer.Unpack(Packer.Pack<IShape>(new Square { Side = 4 }), ref shape);
                Xunit.Assert.Equal(typeof(Square), shape!.GetType());
                shape = square;
                Packer.Unpack(Packer.Pack<IShape>(new Tile { Side = 5 }), ref shape);
                Xunit.Assert.IsType<Tile>(shape);
                Xunit.Assert.Equal(3, square.Side);
                Packer.Unpack(Packer.Pack<IShape>(null), ref shape);
                Xunit.Assert.Null(shape);

                var group = new Group { Shapes = [square, new Circle(1)], Main = square };
                shape = group;
                Packer.Unpack(Packer.Pack<IShape>(new Group { Shapes = [new Square { Side = 6 }, new Square()] }), ref shape);
                Xunit.Assert.Same(group, shape);
                Xunit.Assert.Same(square, group.Shapes![0]);
                Xunit.Assert.IsType<Square>(group.Shapes[1]);
                Xunit.Assert.Null(group.Main);
            }
        }
        """);

    [Fact]
    public void What_is_not_listed_is_refused() => LoadedAssembly.Run(Shapes, """
        public static class Probe
        {
            public static void Run()
            {
                var fault = Xunit.Assert.Throws<PackException>(() => Packer.Pack<IShape>(new Unlisted()));
                Xunit.Assert.Contains("Unlisted is no case of IShape", fault.Message);
                Xunit.Assert.Throws<PackException>(() => Packer.Pack<IShape>(new Group { Main = new Unlisted() }));
            }
        }
        """);

    [Fact]
    public void An_abstract_class_is_a_union_too() => LoadedAssembly.Run("""
        [QueueMessage, PackUnion(7, typeof(Cat)), PackUnion(9, typeof(Dog))]
        public abstract partial record Animal(string Name);
        [QueueMessage] public sealed partial record Cat(string Name, int Lives) : Animal(Name);
        [QueueMessage] public sealed partial record Dog(string Name) : Animal(Name) { public Animal? Friend { get; set; } }
        [QueueMessage] public partial class Home { public List<Animal>? Animals { get; set; } public Animal? Favorite { get; set; } }

        public static class Probe
        {
            public static void Run()
            {
                var dog = new Dog("d") { Friend = new Cat("c", 9) };
                Xunit.Assert.Equal(dog, Packer.Unpack<Animal>(Packer.Pack<Animal>(dog)));
                var home = Packer.Unpack<Home>(Packer.Pack(new Home { Animals = [dog, new Cat("x", 1)], Favorite = dog }))!;
                Xunit.Assert.Equal([dog, new Cat("x", 1)], home.Animals);
                Xunit.Assert.Equal(dog, home.Favorite);
                Xunit.Assert.Equal("#0union{7:#1,9:#2}#1{Name:string,Lives:i32}#2{Name:string,Friend:#0}", Animal.Schema.Text);
            }
        }
        """);

    [Fact]
    public void A_queue_takes_a_union() => LoadedAssembly.Run(Shapes, """
        public static class Probe
        {
            public static void Run()
            {
                var path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), "union" + Guid.NewGuid().ToString("N"));
                try
                {
                    using var shapes = MappedQueue<IShape>.Open(path, new QueueOptions { SegmentSize = 65536 });
                    shapes.Enqueue(new Circle(2));
                    shapes.Enqueue(new Square { Side = 3 });
                    IShape? next = null;
                    Xunit.Assert.True(shapes.TryDequeue(ref next));
                    Xunit.Assert.Equal(new Circle(2), next);
                    Xunit.Assert.True(shapes.TryDequeue(ref next));
                    Xunit.Assert.Equal(3, ((Square)next!).Side);
                    Xunit.Assert.Throws<PackException>(() => shapes.Enqueue(new Unlisted()));
                    Xunit.Assert.False(shapes.TryDequeue(ref next));
                }
                finally
                {
                    System.IO.Directory.Delete(path, recursive: true);
                }
            }
        }
        """);

    [Fact]
    public void The_bytes_are_a_tag_and_the_cases_message()
    {
        Assert.Equal(
            "02000100" + "0100" + "0C000000" + "04000100" + "07000000" + "FFFFFFFF",
            Convert.ToHexString(Loaded.Call<byte[]>("Square", 7)));
    }

    [Fact]
    public void Bytes_of_no_case_are_refused()
    {
        byte[] bytes = Loaded.Call<byte[]>("Square", 7);
        Assert.Equal("IShape: 9 is no tag of IShape (byte 6)", Loaded.Call<string?>("Fault", With(bytes, 4, 9)));
        Assert.Contains("A union is a tag of 2 bytes and one variable, not 2 bytes and 0 variables (byte 0)",
            Loaded.Call<string?>("Fault", With(bytes, 2, 0)), StringComparison.Ordinal);
        Assert.Contains("not 4 bytes and 1 variables", Loaded.Call<string?>("Fault", With(bytes, 0, 4)), StringComparison.Ordinal);
        Assert.StartsWith("IShape.Name: ", Loaded.Call<string?>("Fault", With(bytes, 18, 1)), StringComparison.Ordinal);
    }

    [Fact]
    public void Hostile_bytes_do_no_worse_than_an_exception_of_ours()
    {
        byte[] bytes = Loaded.Call<byte[]>("Group");
        Assert.True(Loaded.Call<bool>("TryUnpack", bytes));
        for (int length = 0; length < bytes.Length; length++)
        {
            Assert.False(Loaded.Call<bool>("TryUnpack", bytes[..length]));
        }

        foreach (byte changed in (byte[])[0, 1, 2, 0x7F, 0x80, 0xFF])
        {
            for (int i = 0; i < bytes.Length; i++)
            {
                Loaded.Call<bool>("TryUnpack", With(bytes, i, changed));
            }
        }

        var random = new Random(11);
        for (int i = 0; i < 20_000; i++)
        {
            byte[] hostile = (byte[])bytes.Clone();
            for (int changes = random.Next(1, 6); changes > 0; changes--)
            {
                hostile[random.Next(hostile.Length)] = (byte)random.Next(256);
            }

            Loaded.Call<bool>("TryUnpack", hostile);
        }
    }

    [Fact]
    public void A_new_case_is_refused_by_an_old_reader_and_nothing_else_is()
    {
        var next = LoadedAssembly.Of(
            Shapes.Replace("PackUnion(300, typeof(Group))", "PackUnion(300, typeof(Group)), PackUnion(5, typeof(Line))",
                StringComparison.Ordinal)
            + "[QueueMessage] public sealed partial class Line : IShape { public int Length { get; set; } }",
            Probe);
        Assert.True(Loaded.Call<bool>("TryUnpack", next.Call<byte[]>("Group")));
        Assert.True(next.Call<bool>("TryUnpack", Loaded.Call<byte[]>("Group")));
        Assert.True(Loaded.Call<bool>("TryUnpack", next.Call<byte[]>("Square", 3)));
        byte[] line = [2, 0, 1, 0, 5, 0, 8, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0];
        Assert.True(next.Call<bool>("TryUnpack", line));
        Assert.False(Loaded.Call<bool>("TryUnpack", line));
    }

    [Fact]
    public void A_union_of_another_assembly_is_a_member_here()
    {
        var library = GeneratorRun.Of(Compile.Named("Library" + Guid.NewGuid().ToString("N"), Shapes));
        CompilationReference reference = library.Output.ToMetadataReference();
        var user = GeneratorRun.Of(
            Compile.Named(
            "User",
                "[QueueMessage] public partial class Page { public IShape? Shape { get; set; } public List<IShape>? All { get; set; } } "
                + "public static class Use { public static byte[] Pack() => Packer.Pack<IShape>(new Circle(1)); }")
            .AddReferences(reference));
        Assert.Empty(Compile.Complaints(user.Output));
        Assert.Contains("global::IShape.Pack(ref writer, in message)", user.File("Page.g.cs"), StringComparison.Ordinal);
    }

    private static byte[] With(byte[] bytes, int index, byte value)
    {
        byte[] changed = (byte[])bytes.Clone();
        changed[index] = value;
        return changed;
    }
}
