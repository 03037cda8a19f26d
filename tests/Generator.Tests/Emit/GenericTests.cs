using BlitQueue.Generated;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

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
            public static object Make() => new Box<Mine>();
        }
        """));

    [Fact]
    public Task Chooses_a_case_of_a_generic_union() => Verify(GeneratorRun.Clean("""
        [QueueMessage, PackUnion(0, typeof(Leaf<>))] public partial interface ITree<T>;
        [QueueMessage] public sealed partial record Leaf<T>(T Value, ITree<T>? Next) : ITree<T>;
        """));

    [Fact]
    public void Names_of_type_parameters_may_be_any() => GeneratorRun.Clean("""
        [QueueMessage] public partial class First<M, M2, TypeArgument> {
            public M? A { get; set; } public Hand<M2>? B { get; set; } public TypeArgument[]? C { get; set; } }
        [QueueMessage] public partial class Second<Pack, Unpack, Schema, View> {
            public Pack? A { get; set; } public Unpack? B { get; set; } public (Schema, View) C { get; set; } }
        [QueueMessage] public partial class @class<@event, t> {
            public @event? @int { get; set; } public List<t>? value { get; set; } public t? reader { get; set; } }
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

    private const string Every = """
        using Alias = Shop.Box<System.Collections.Generic.List<Shop.Alone>>;

        namespace Shop
        {
            [QueueMessage] public partial class Box<T> { public T Content { get; set; } = default!; public T[] Items { get; set; }
                = new T[0]; }
            [QueueMessage] public partial class Keyed<K, T> { public Dictionary<K, T>? Map { get; set; }
                public SortedList<K, List<T>>? Sorted { get; set; } public List<(K, T)>? Pairs { get; set; } }
            [QueueMessage] public partial class Struct<T> where T : struct {
                public T? Maybe { get; set; } public List<T?>? Many { get; set; } public HashSet<T>? Set { get; set; } }
            [QueueMessage] public partial record Built<T>(T Value, List<T> Many, Box<T> Box, T[,] Grid) where T : class;
            [QueueMessage] public partial record struct Two<A, B>(A First, B Second) where B : IPackable<B>;
            [QueueMessage] public partial class Init<T> { public required T Value { get; init; } public Lazy<T>? Lazy { get; init; }
                public IEnumerable<T>? Items { get; init; } public Tuple<T, int>? Tuple { get; init; } }
            [QueueMessage(Strings = StringEncoding.Utf16)] public partial class Wide<T> {
                public T Value { get; set; } = default!; [Obsolete("still packed")] public T Old { get; set; } = default!; }
            [QueueMessage] public partial struct Alone { public int X; public string Text; }
            [QueueMessage, PackUnion(0, typeof(Leaf<>)), PackUnion(7, typeof(IntLeaf))] public partial interface ITree<T> { }
            [QueueMessage] public partial class Leaf<T> : ITree<T> { public T Value { get; set; } = default!; }
            [QueueMessage] public sealed partial class IntLeaf : ITree<int> { public ITree<string[]>? Other { get; set; } }
            [Obsolete("still packed")] public enum Old { A }

            public partial class Outer
            {
                private partial struct Mine { public int A; public static object Make() => new Box<(Mine, string, int?, Alone?, Uri)>(); }
                public static object[] All() => new object[]
                {
                    new Keyed<string, Alone?>(), new Keyed<Guid, List<string?>?>(), new Struct<Alone>(), new Struct<(int, string)>(),
                    new Built<int[][]>(null!, null!, null!, null!), new Built<Box<string>>(null!, null!, null!, null!),
                    new Two<Dictionary<string, int>, Alone>(), new Init<System.Text.StringBuilder> { Value = new() },
                    new Wide<Stack<string>>(), new Wide<(string, int)[]>(), new Leaf<int>(), Mine.Make(), new Box<int[,]>(),
                };
            }
        }
        """;

    [Theory]
    [InlineData(NullableContextOptions.Enable, true)]
    [InlineData(NullableContextOptions.Enable, false)]
    [InlineData(NullableContextOptions.Disable, true)]
    [InlineData(NullableContextOptions.Annotations, false)]
    public void Every_warning_as_an_error(NullableContextOptions nullable, bool isChecked)
    {
        CSharpCompilation compilation = Compile.Source(Every);
        var run = GeneratorRun.Of(compilation.WithOptions(compilation.Options
            .WithNullableContextOptions(nullable)
            .WithOverflowChecks(isChecked)
            .WithAllowUnsafe(false)
            .WithGeneralDiagnosticOption(ReportDiagnostic.Error)));
        Assert.Empty(run.Output.GetDiagnostics().Where(diagnostic =>
            diagnostic.Location.SourceTree?.FilePath.EndsWith(".g.cs", StringComparison.Ordinal) == true
                && diagnostic.Severity >= DiagnosticSeverity.Info));
        string table = run.File("BlitQueue.Generated.TypeArguments.g.cs");
        Assert.Contains("typeof(global::System.Collections.Generic.List<global::Shop.Alone>)", table, StringComparison.Ordinal);
        Assert.Contains("typeof(string[])", table, StringComparison.Ordinal);
    }
}
