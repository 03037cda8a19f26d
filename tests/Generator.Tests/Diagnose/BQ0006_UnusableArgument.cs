using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0006_UnusableArgument
{
    private const string Box = """

        [QueueMessage] public partial class Box<T> { public T? Content { get; set; } }
        [QueueMessage] public partial class Keyed<K, T> where K : notnull {
            public Dictionary<K, List<T>>? Map { get; set; } [PackIgnore] public K? Key { get; set; } }
        [QueueMessage] public partial class Phantom<T> { public int Id { get; set; } }
        public class Simple;
        """;

    [Fact]
    public async Task What_could_not_be_a_member_is_refused_wherever_it_is_written()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0006", """
            [QueueMessage] public partial class Order { public Box<[|object|]>? Extra { get; set; }
                public List<Box<[|Simple|]>>? Many { get; set; } }
            public partial class Derived : Box<[|Action|]>;
            public static class Shop
            {
                public static MappedQueue<Box<[|Simple|]>> Open() => MappedQueue<Box<[|Simple|]>>.Open("boxes");
                public static object Make() => new Keyed<[|Simple|], List<[|Type|]>>();
                public static object Type() => typeof(Box<Box<[|nint|]>>);
            }
            """.Replace("List<[|Type|]>", "[|List<Type>|]", StringComparison.Ordinal) + Box);
        Assert.Equal("'object' cannot be packed as part of 'Box<T>': object can be anything; name the type", messages[0]);
        Assert.Contains("Simple is neither a kind that is known nor marked [QueueMessage]", messages[1], StringComparison.Ordinal);
    }

    [Fact]
    public Task A_parameter_that_is_not_packed_may_be_anything() => AnalyzerRun.ExpectNone("""
        public static class Shop
        {
            public static object Make() => (new Phantom<object>(), new Box<Phantom<Simple>>());
            public static Box<U> Wrap<U>(U value) => new Box<U> { Content = value };
            public static Type Open => typeof(Box<>);
        }
        [QueueMessage] public partial class Crate<T> { public Box<List<T>>? Box { get; set; } public Box<T[]>? Other { get; set; } }
        """ + Box);

    [Fact]
    public async Task What_the_argument_becomes_part_of_counts_too()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0006", """
            [QueueMessage] public partial class Maybe<T> where T : struct { public T? Value { get; set; } }
            public static class Shop { public static object Make() => new [|Maybe<ArraySegment<int>>|](); }
            """);
        Assert.Contains("two kinds of null", messages[0], StringComparison.Ordinal);
    }

    [Fact]
    public Task What_generated_code_cannot_name_is_refused() => AnalyzerRun.Expect("BQ0006", """
        file enum Here { A }
        public class Outer
        {
            private enum Mine { A }
            public static object Make() => new Box<[|Mine|]>();
        }
        public partial class Open
        {
            private enum Mine { A }
            public static object Make() => (new Box<Mine>(), new Box<[|Here|]>());
        }
        """ + Box);

    [Fact]
    public async Task A_message_that_grows_without_end_is_refused()
    {
        IReadOnlyList<Microsoft.CodeAnalysis.Diagnostic> found = await AnalyzerRun.Diagnostics("""
            [QueueMessage] public partial class Growing<T> { public T? Value { get; set; } public Growing<List<T>>? Next { get; set; } }
            [QueueMessage] public partial class Fine<A, B> { public A? Value { get; set; } public Fine<B, A>? Next { get; set; } }
            """);
        Assert.Equal(["BQ0012"], found.Select(diagnostic => diagnostic.Id));
        Assert.Contains("ever larger type arguments", found[0].GetMessage(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_variant_interface_cannot_be_a_message()
    {
        IReadOnlyList<Microsoft.CodeAnalysis.Diagnostic> found = await AnalyzerRun.Diagnostics("""
            [QueueMessage, PackUnion(0, typeof(Leaf<>))] public partial interface ITree<out T>;
            [QueueMessage] public partial class Leaf<T> : ITree<T> { public T? Value { get; set; } }
            """);
        Assert.Contains("BQ0012", found.Select(diagnostic => diagnostic.Id));
    }

    [Fact]
    public async Task What_another_assembly_makes_a_message_of_is_refused_where_it_is_handed_over()
    {
        var library = GeneratorRun.Of(Compile.Named("Library", """
            [QueueMessage] public partial class Crate<T> { public T? Content { get; set; } }
            public interface ISender { byte[] Send<T>(T value); }
            public class Sender : ISender { public byte[] Send<T>(T value) => Packer.Pack(new Crate<List<T>> { Content = [value] }); }
            public class Store<T> { public byte[] Put(T value) => Packer.Pack(new Crate<T> { Content = value }); }
            public static class Other { public static int Count<T>(T value) => 1; }
            """));
        using var image = new MemoryStream();
        Assert.True(library.Output.Emit(image).Success);
        const string user = """
            public static class Shop
            {
                static void Give(ISender sender, Sender own, object thing)
                {
                    sender.Send(thing);
                    own.Send(thing);
                    own.Send<Action>(() => { });
                    new Store<Action>().Put(() => { });
                    sender.Send(new List<int>());
                    new Store<int[]>().Put([1]);
                    Other.Count(thing);
                }

                static void Pass<U>(ISender sender, U value) => sender.Send(value);
            }
            """;
        IReadOnlyList<Diagnostic> found = await AnalyzerRun.Diagnostics(
            Compile.Named("User", user).AddReferences(MetadataReference.CreateFromImage(image.ToArray())));
        Assert.Equal(
            ["sender.Send(thing)", "own.Send(thing)", "own.Send<Action>(() => { })", "Store<Action>"],
            found.Where(diagnostic => diagnostic.Id == "BQ0006").Select(diagnostic => TextOf(diagnostic)));
        Assert.Equal("'List<object>' cannot be packed as part of 'Crate<T>': object can be anything; name the type", found[0]
            .GetMessage());
    }

    private static string TextOf(Diagnostic diagnostic)
        => diagnostic.Location.SourceTree!.GetText().ToString(diagnostic.Location.SourceSpan);
}
