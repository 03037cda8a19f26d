namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0032_UnusableUnionPacker
{
    [Fact]
    public async Task Points_at_the_class_or_at_what_it_names()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0032", """
            public interface IShape;
            public sealed class Line;
            [QueueMessage] public partial class Circle : IShape;

            [PackUnionOf(typeof(IShape))] public partial class [|Empty|];
            [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle))] public static partial class [|Static|];
            [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle))] public partial class [|Generic|]<T>;
            [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle))] public partial class [|Taken|] { public int Pack { get; set; } }
            [QueueMessage, PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle))] public partial class [|Message|];
            [PackUnionOf([|typeof(Line)|]), PackUnion(0, typeof(Circle))] public partial class Concrete;
            [PackUnionOf([|typeof(IEnumerable<>)|]), PackUnion(0, typeof(Circle))] public partial class Unbound;
            [[|PackUnion(0, typeof(Circle))|]] public partial class Lost;
            """);
        Assert.Equal(
            [
                "'Empty' cannot pack cases: it lists no cases with [PackUnion]",
                "'Static' cannot pack cases: it is static, and no static class can be a type argument",
                "'Generic<T>' cannot pack cases: it has type parameters",
                "'Taken' cannot pack cases: it has a member named Pack already",
                "'Message' cannot pack cases: it is a message; its packer is a class of its own",
                "'Concrete' cannot pack cases: only an interface or an abstract class can have cases",
                "'Unbound' cannot pack cases: nothing stands for the type parameters of IEnumerable<>; write type arguments",
                "'Lost' cannot pack cases: it is marked neither [QueueMessage] nor [PackUnionOf]",
            ],
            messages);
    }

    [Fact]
    public async Task Cases_are_checked_as_those_of_any_union()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0030", """
            public interface IShape;
            [QueueMessage] public partial class Circle : IShape;
            [QueueMessage] public partial class Stranger;

            [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle)), PackUnion([|0|], typeof(Circle2)),
                PackUnion(1, [|typeof(Stranger)|]), PackUnion(2, [|typeof(Simple)|])]
            public partial class ShapePacker;
            [QueueMessage] public partial class Circle2 : IShape;
            public class Simple : IShape;
            """);
        Assert.Equal("'Stranger' cannot be a case of 'IShape': it does not implement the interface", messages[1]);
    }

    [Fact]
    public async Task A_case_of_another_closed_form_is_none()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0030", """
            public interface IExt<T>;
            [QueueMessage] public sealed partial class A<T> : IExt<T>;
            [QueueMessage] public sealed partial class Lists<T> : IExt<List<T>>;
            [PackUnionOf(typeof(IExt<string>)), PackUnion(0, typeof(A<string>)), PackUnion(1, [|typeof(A<int>)|]),
                PackUnion(2, [|typeof(Lists<>)|])]
            public sealed partial class Cases;
            """);
        Assert.Equal("'A<int>' cannot be a case of 'IExt<string>': it does not implement the interface", messages[0]);
    }

    [Fact]
    public Task It_must_be_partial() => AnalyzerRun.Expect("BQ0001", """
        public interface IShape;
        [QueueMessage] public partial class Circle : IShape;
        [PackUnionOf(typeof(IShape)), PackUnion(0, typeof(Circle))] public class [|ShapePacker|];
        """);
}
