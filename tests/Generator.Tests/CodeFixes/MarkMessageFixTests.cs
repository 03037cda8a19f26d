using BlitQueue.Generator.CodeFixes;

namespace BlitQueue.Generator.Tests.CodeFixes;

public class MarkMessageFixTests
{
    private const string Use = "\npublic static class Use { public static MappedQueue<Order> Open() => MappedQueue<Order>.Open(\"x\"); }\n";

    [Theory]
    [InlineData("public class Order { }", "[QueueMessage]\npublic partial class Order { }")]
    [InlineData("/// <summary>An order.</summary>\npublic sealed record Order(int Id);",
        "/// <summary>An order.</summary>\n[QueueMessage]\npublic sealed partial record Order(int Id);")]
    [InlineData("[Serializable]\npublic partial struct Order;", "[QueueMessage]\n[Serializable]\npublic partial struct Order;")]
    [InlineData(
        "using static Shop;\npublic static partial class Shop\n{\n\tpublic\n\tclass Order { }\n}",
        "using static Shop;\npublic static partial class Shop\n{\n\t[QueueMessage]\n\tpublic\n\tpartial class Order { }\n}")]
    [InlineData(
        "using static Shop; public static partial class Shop { public class Order { } }",
        "using static Shop; public static partial class Shop { [QueueMessage] public partial class Order { } }")]
    public async Task Marks_the_declaration(string before, string after)
    {
        string text = await FixRun.Apply(new MarkMessageFix(), before + Use);
        Assert.Equal(after + Use, text);
    }

    [Fact]
    public async Task Ends_lines_as_the_file_does()
    {
        string text = await FixRun.Apply(new MarkMessageFix(), ("public class Order { }" + Use).ReplaceLineEndings("\r\n"));
        Assert.Equal(("[QueueMessage]\npublic partial class Order { }" + Use).ReplaceLineEndings("\r\n"), text);
    }
}
