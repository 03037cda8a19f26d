namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0030_UnusableCase
{
    [Fact]
    public async Task Points_at_the_argument()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0030", """
            [QueueMessage]
            [PackUnion(0, typeof(Circle))]
            [PackUnion([|0|], typeof(Square))]
            [PackUnion(2, [|typeof(Circle)|])]
            [PackUnion(3, [|typeof(Stranger)|])]
            [PackUnion(4, [|typeof(Polygon)|])]
            [PackUnion(5, [|typeof(Simple)|])]
            [PackUnion(type: [|typeof(int)|], tag: 6)]
            [PackUnion(7, [|typeof(IShape)|])]
            [PackUnion(8, [|typeof(List<>)|])]
            public partial interface IShape;

            [QueueMessage] public partial class Circle : IShape;
            [QueueMessage] public partial class Square : IShape;
            [QueueMessage] public partial class Stranger;
            public abstract class Polygon : IShape;
            public class Simple : IShape;
            """);
        Assert.Equal(
            [
                "'Square' cannot be a case of 'IShape': Circle has the tag 0 already",
                "'Circle' cannot be a case of 'IShape': it is listed already",
                "'Stranger' cannot be a case of 'IShape': it does not implement the interface",
                "'Polygon' cannot be a case of 'IShape': it has no instances; list what derives from it",
                "'Simple' cannot be a case of 'IShape': it is not marked [QueueMessage]",
                "'int' cannot be a case of 'IShape': it does not implement the interface",
                "'IShape' cannot be a case of 'IShape': it does not implement the interface",
                "'List<>' cannot be a case of 'IShape': it does not implement the interface",
            ],
            messages);
    }

    [Fact]
    public async Task Points_at_the_argument_on_an_abstract_class()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0030", """
            [QueueMessage, PackUnion(0, [|typeof(Stranger)|]), PackUnion(65535, [|typeof(Shape)|]), PackUnion(7, [|typeof(Shape.Hidden)|])]
            public abstract partial class Shape {
                private partial class Inner { [QueueMessage] private protected sealed partial class Deep : Shape; }
                internal sealed class Hidden : Shape; }
            [QueueMessage] public partial class Stranger;
            """);
        Assert.Equal("'Stranger' cannot be a case of 'Shape': it does not derive from the class", messages[0]);
    }

    [Fact]
    public Task Is_silent_about_a_case_with_errors_of_its_own() => AnalyzerRun.Expect("BQ0001", """
        [QueueMessage, PackUnion(0, typeof(Circle))] public partial interface IShape;
        [QueueMessage] public class [|Circle|] : IShape;
        """);

    [Fact]
    public async Task Type_parameters_follow_from_the_unions()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0030", """
            [QueueMessage, PackUnion(0, typeof(Leaf<>)), PackUnion(1, [|typeof(Odd<,>)|]), PackUnion(2, [|typeof(Wrapped<>)|]),
                PackUnion(3, typeof(Int)), PackUnion(4, [|typeof(List<>)|])]
            public partial interface ITree<T>;
            [QueueMessage] public partial class Leaf<U> : ITree<U>;
            [QueueMessage] public partial class Odd<T, V> : ITree<T>;
            [QueueMessage] public partial class Wrapped<T> : ITree<List<T>>;
            [QueueMessage] public partial class Int : ITree<int>;
            """);
        Assert.Equal("'Odd<,>' cannot be a case of 'ITree<T>': its type parameters do not follow from those of the union", messages[0]);
    }
}
