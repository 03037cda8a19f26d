namespace BlitQueue.Generator.Tests.Emit;

public class RecordTests
{
    [Fact]
    public Task Constructs_a_record() => Verify(GeneratorRun.Clean("""
        namespace Shop;

        [QueueMessage]
        public partial record Trade(long Id, string Symbol, decimal Price = 1.5m)
        {
            public string? Note { get; set; }
        }
        """));
}
