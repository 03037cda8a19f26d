namespace BlitQueue.Generator.Tests.Emit;

public class TolerantTests
{
    [Fact]
    public Task Fills_by_number() => Verify(GeneratorRun.Clean("""
        namespace Shop;
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public sealed partial class Order
        {
            [PackOrder(4)] public string? Note { get; set; }
            [PackOrder(1)] public long Id { get; set; }
            [PackOrder(2)] public int? Rating { get; set; }
            [PackOrder(7)] public List<int>? Numbers { get; set; }
        }
        """));

    [Fact]
    public Task Constructs_by_number() => Verify(GeneratorRun.Clean("""
        namespace Shop;
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public sealed partial record Trade([property: PackOrder(0)] int Id, [property: PackOrder(3)] string Symbol = "none")
        {
            [PackOrder(1)] public int Lots { get; init; } = 6;
        }
        """));

    [Fact]
    public void Takes_no_members_many_members_and_structs()
    {
        string many = string.Concat(Enumerable.Range(0, 300).Select(i => $"[PackOrder({i * 2})] public int M{i} {{ get; init; }} "));
        GeneratorRun.Clean(
            "[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class None;",
            "[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial struct Point { [PackOrder(3)] public int X; "
                + "[PackOrder(0)] public string? Label; }",
            "[QueueMessage(Layout = PackLayout.VersionTolerant)] public readonly partial record struct Tick([property: PackOrder(1)] int "
                + "Known, [property: PackOrder(5)] string? Block);",
            $"[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Many {{ {many} }}");
    }
}
