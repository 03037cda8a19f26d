namespace BlitQueue.Generator.Tests.Emit;

public class UnionTests
{
    [Fact]
    public Task Packs_a_union_of_another_assembly() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        public interface IShape;

        [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle)), PackUnion(300, typeof(Square))]
        public partial class ShapePacker;

        [QueueMessage] public sealed partial class Circle : IShape { public double Radius { get; set; } }
        [QueueMessage] public partial struct Square : IShape { public double Side; }

        [QueueMessage] public sealed partial class Drawing { [PackWith(typeof(ShapePacker))] public List<IShape>? Shapes { get; set; } }
        """));

    [Fact]
    public Task Chooses_a_case_of_an_interface() => Verify(GeneratorRun.Clean("""
        namespace Shop;
        [QueueMessage, PackUnion(1, typeof(Square)), PackUnion(0, typeof(Circle)), PackUnion(65535, typeof(Dot))]
        public partial interface IShape { string? Name { get; } }
        [QueueMessage] public sealed partial class Circle : IShape { public double Radius { get; set; } public string? Name { get; set; } }
        [QueueMessage] public partial class Square : IShape { public double Side { get; set; } public string? Name { get; set; } }
        [QueueMessage] public partial struct Dot : IShape { public string? Name { get; set; } }
        """));

    [Fact]
    public Task Chooses_a_case_of_an_abstract_class() => Verify(GeneratorRun.Clean("""
        [QueueMessage, PackUnion(3, typeof(Circle))]
        public abstract partial class Shape { public string? Name { get; set; } }
        [QueueMessage] public sealed partial class Circle : Shape { public double Radius { get; set; } }
        """));

    [Fact]
    public void Makes_way_for_names_that_are_taken() => GeneratorRun.Clean("""
        [QueueMessage, PackUnion(0, typeof(Circle)), PackUnion(1, typeof(Odd))]
        public partial interface IShape { void Pack(); int Schema { get; } static void Unpack() { } static void PackCircle() { } }
        [QueueMessage] public sealed partial class Circle : IShape { void IShape.Pack() { } int IShape.Schema => 1; }
        [QueueMessage] public sealed partial class Odd : IShape {
            public void Pack() { } public int Schema => 1; public IShape? Next { get; set; } public List<IShape?>? All { get; set; } }
        """);

    [Fact]
    public void Stands_beside_other_unions() => GeneratorRun.Clean("""
        [QueueMessage, PackUnion(0, typeof(Circle))] public partial interface IThing;
        [QueueMessage, PackUnion(0, typeof(Circle))] public partial interface IShape : IThing;
        [QueueMessage, PackUnion(0, typeof(Circle))] public abstract partial class Shape : IShape;
        [QueueMessage, PackUnion(0, typeof(Circle))] public abstract partial class Round : Shape;
        [QueueMessage] public sealed partial class Circle : Round;
        """);
}
