namespace BlitQueue.Generator.Tests.Emit;

public class StructTests
{
    [Fact]
    public Task Fills_a_struct_in_place() => Verify(GeneratorRun.Clean("""
        [QueueMessage] public partial struct Point { public int X; public int Y; public string? Label; }
        """));

    [Fact]
    public Task Constructs_a_read_only_struct() => Verify(GeneratorRun.Clean("""
        [QueueMessage] public readonly partial record struct Tick(long Id, string Symbol);
        """));
}
