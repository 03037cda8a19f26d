namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0017_LostPart
{
    [Fact]
    public async Task Points_at_the_type_that_contains_the_collection()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0017", """
            using System.Collections.ObjectModel;

            public class Tags : List<string> { public string? Owner { get; set; } public int Colour; public int Length => Count;
                [PackIgnore] public object? Cache { get; set; } }
            public class Base<T> : Collection<T> { public string? Name { get; set; } }
            public class Derived : Base<int>;
            public class Map : Dictionary<int, string> { public bool IsOld { get; set; } }
            public class Quiet : List<string> { public string? Private { get; private set; } public static int Count2 { get; set; } }

            [QueueMessage]
            public partial class Order
            {
                public [|Tags?|] Tags { get; set; }
                public [|Dictionary<int, (int, Derived)>?|] Deep { get; set; }
                public [|Map[]?|] Maps { get; set; }
                public Quiet? Quiet { get; set; }
            }
            """);
        Assert.Equal(
            [
                "'Tags' loses Owner, Colour of Tags: of a collection only the elements are packed",
                "'Deep' loses Name of Derived: of a collection only the elements are packed",
                "'Maps' loses IsOld of Map: of a collection only the elements are packed",
            ],
            messages);
    }

    [Fact]
    public async Task Points_at_a_message_that_is_a_collection_too()
    {
        const string contract = """
            public void Add(int item) { }
            public void Clear() { }
            public bool Contains(int item) => false;
            public void CopyTo(int[] array, int index) { }
            public bool Remove(int item) => false;
            public int Count => 0;
            public bool IsReadOnly => false;
            public IEnumerator<int> GetEnumerator() => null!;
            System.Collections.IEnumerator System.Collections.IEnumerable.GetEnumerator() => null!;
            """;
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0017", $$"""
            [QueueMessage] public partial class [|Loser|] : ICollection<int> {
                private List<int> _items = []; public string? Name { get; set; } {{contract}} }
            [QueueMessage] public partial class Holder : ICollection<int> { [PackInclude] private List<int> _items = []; {{contract}} }
            [QueueMessage] public partial class Other : ICollection<int> { public int[]? Items { get; set; } {{contract}} }
            """);
        Assert.Equal("'Loser' loses its elements: of a message only the members are packed", Assert.Single(messages));
    }
}
