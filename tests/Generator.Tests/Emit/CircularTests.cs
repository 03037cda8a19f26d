namespace BlitQueue.Generator.Tests.Emit;

public class CircularTests
{
    [Fact]
    public Task Knows_each_object_again() => Verify(GeneratorRun.Clean("""
        namespace Shop;
        [QueueMessage(Layout = PackLayout.CircularReference)]
        public partial class Node { public int Id { get; set; } public Node? Parent { get; set; }
            public List<Node>? Children { get; set; } }
        """));

    [Fact]
    public void Takes_no_members_callbacks_and_required_members() => GeneratorRun.Clean("""
        [QueueMessage(Layout = PackLayout.CircularReference)] public sealed partial class None;
        [QueueMessage(Layout = PackLayout.CircularReference)] public sealed partial record Entry {
            public required string Name { get; set; } public Entry? Next { get; set; } }
        [QueueMessage(Layout = PackLayout.CircularReference)]
        public partial class Called
        {
            public Called? Self { get; set; }
            [OnPacking] void A() { } [OnPacked] void B() { } [OnUnpacking] void C() { } [OnUnpacked] void D() { }
        }
        """);
}
