using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Emit;

public class CollectionTests
{
    private const string Source = """
        using System.Collections.Immutable;

        namespace Shop;

        [QueueMessage]
        public sealed partial class Order
        {
            public Dictionary<string, List<LineItem>>? Items { get; set; }
            public IReadOnlyList<LineItem>? Extras { get; set; }
            public HashSet<int>? Seen { get; set; }
            public Stack<string>? Undo { get; set; }
            public SortedDictionary<int, LineItem?>? Sorted { get; set; }
            public ImmutableArray<LineItem> Fixed { get; set; }
            public Memory<byte> Data { get; set; }
            public (int Count, LineItem First) Summary { get; set; }
            public (int, string?)? Note { get; set; }
        }

        [QueueMessage] public sealed partial class LineItem { public string Sku { get; set; } = ""; }
        """;

    [Fact]
    public Task Packs_what_the_framework_collects() => Verify(GeneratorRun.Clean(Source));

    [Fact]
    public Task Packs_what_the_user_collects() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        public class Names : List<string>;
        public class Prices : Dictionary<string, decimal>;
        public class Catalogue : System.Collections.ObjectModel.KeyedCollection<string, Item> {
            protected override string GetKeyForItem(Item item) => item.Sku; }

        [QueueMessage] public sealed partial class Item { public string Sku { get; set; } = ""; }

        [QueueMessage]
        public sealed partial class Shelf
        {
            public Names? Names { get; set; }
            public Prices? Prices { get; set; }
            public Catalogue? Catalogue { get; set; }
            public PriorityQueue<string, int>? Waiting { get; set; }
            public System.Linq.ILookup<string, Item>? Suppliers { get; set; }
            [PackWith(typeof(InternedString))] public string? Room { get; set; }
            [PackWith(typeof(BrotliBytes))] public byte[]? Picture { get; set; }
        }
        """));

    [Theory]
    [InlineData(LanguageVersion.CSharp12)]
    [InlineData(LanguageVersion.CSharp13)]
    public void Compiles_as_older_versions_of_the_language(LanguageVersion version)
        => Assert.Empty(Compile.Complaints(GeneratorRun.Of((CSharpCompilation)Compile.As(version, Compile.Source(Source))).Output));

    [Fact]
    public void Every_container_exists_and_is_recognised()
    {
        CSharpCompilation compilation = Compile.Source();
        foreach (Container? container in Containers.Collections.Concat(Containers.Dictionaries))
        {
            Microsoft.CodeAnalysis.INamedTypeSymbol? type = compilation.References.Select(compilation.GetAssemblyOrModuleSymbol)
                .OfType<Microsoft.CodeAnalysis.IAssemblySymbol>()
                .Select(assembly => assembly.GetTypeByMetadataName(container.Type))
                .FirstOrDefault(found => found is not null);
            Assert.True(type is not null, container.Type);
            Assert.Same(container, Containers.Find(type));
        }
    }
}
