namespace BlitQueue.Generator.Tests.Emit;

public class GenericTests
{
    [Fact]
    public Task Leaves_a_type_parameter_to_the_runtime() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        [QueueMessage]
        public partial class Box<T>
        {
            public int Id { get; set; }
            public T? Content { get; set; }
            public List<T>? Items { get; set; }
            public Dictionary<string, (T, int)>? Map { get; set; }
        }

        [QueueMessage] public partial class Line { public Box<List<string>>? Box { get; set; } }

        public partial class Outer
        {
            private enum Mine { A }
            public static Box<Mine> Make() => new Box<Mine>();
        }
        """));

    [Fact]
    public Task Chooses_a_case_of_a_generic_union() => Verify(GeneratorRun.Clean("""
        [QueueMessage, PackUnion(0, typeof(Leaf<>))] public partial interface ITree<T>;
        [QueueMessage] public sealed partial record Leaf<T>(T Value, ITree<T>? Next) : ITree<T>;
        """));

    [Fact]
    public void Names_of_type_parameters_may_be_any() => GeneratorRun.Clean("""
        [QueueMessage] public partial class First<M, M2, TypeArgument> { public M? A { get; set; } public Hand<M2>? B { get; set; } public TypeArgument[]? C { get; set; } }
        [QueueMessage] public partial class Second<Pack, Unpack, Schema, View> { public Pack? A { get; set; } public Unpack? B { get; set; } public (Schema, View) C { get; set; } }
        [QueueMessage] public partial class @class<@event, t> { public @event? @int { get; set; } public List<t>? value { get; set; } public t? reader { get; set; } }
        [QueueMessage] public partial class lower<t> { public t? a { get; set; } }
        [QueueMessage] public partial class lower { public lower<lower>? a { get; set; } }
        [QueueMessage] public partial class Lower<T> { public T? a { get; set; } }
        [QueueMessage] public partial class TypeArguments { public First<int, lower, TypeArguments>? A { get; set; } }
        public class Hand<X> : IPackable<Hand<X>>
        {
            static void IPackable<Hand<X>>.Pack(ref PackWriter writer, scoped in Hand<X>? value) => writer.WriteNull();
            static void IPackable<Hand<X>>.Unpack(ref PackReader reader, scoped ref Hand<X>? value) => value = null;
            static MessageSchema IPackable<Hand<X>>.Schema { get; } = new("Hand", []);
        }
        """);
}
