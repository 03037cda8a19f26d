using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0201_CouldBeMessage
{
    [Theory]
    [InlineData("[[|MemoryPack.MemoryPackable|]] public partial class Order;")]
    [InlineData("[[|MemoryPack.MemoryPackable(MemoryPack.GenerateType.VersionTolerant)|]] public partial struct Order;")]
    [InlineData("[[|MessagePack.MessagePackObject(true)|]] public record Order;")]
    [InlineData("[[|MessagePack.Union(0, typeof(string))|]] public interface IOrder;")]
    [InlineData("class Outer { [[|MessagePack.MessagePackObject|]] class Inner; }")]
    public Task Points_at_the_attribute(string marked) => AnalyzerRun.Expect("BQ0201", marked + "\n" + Rivals.Source);

    [Theory]
    [InlineData("[MemoryPack.MemoryPackable, QueueMessage] public partial class Order;")]
    [InlineData("[MemoryPackable] public class Order; public class MemoryPackableAttribute : Attribute;")]
    [InlineData("public class Order { [MessagePack.Key(0)] public int Id; }")]
    [InlineData("[MemoryPack.MemoryPackable(MemoryPack.GenerateType.NoGenerate)] public partial interface IOrder;")]
    [InlineData("[MemoryPack.MemoryPackable(MemoryPack.GenerateType.Collection)] public partial class Orders : List<int>;")]
    public Task Is_silent_about_messages_namesakes_and_what_needs_no_mark(string source)
        => AnalyzerRun.ExpectNone(source + "\n" + Rivals.Source);

    [Fact]
    public async Task Is_only_an_offer()
    {
        IReadOnlyList<Diagnostic> found = await AnalyzerRun.Diagnostics(
            "[MessagePack.MessagePackObject] public class Order;", Rivals.Source);
        Diagnostic diagnostic = Assert.Single(found);
        Assert.Equal(DiagnosticSeverity.Info, diagnostic.Severity);
        Assert.Equal("'Order' is marked for MessagePack: it could be a [QueueMessage]", diagnostic.GetMessage());
    }
}
