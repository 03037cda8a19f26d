using BlitQueue.Generator.CodeFixes;

namespace BlitQueue.Generator.Tests.CodeFixes;

public class MakePartialFixTests
{
    [Theory]
    [InlineData("[QueueMessage] public class Order { public int Id { get; set; } }",
        "[QueueMessage] public partial class Order { public int Id { get; set; } }")]
    [InlineData("[QueueMessage] public sealed record Trade(int Id);", "[QueueMessage] public sealed partial record Trade(int Id);")]
    [InlineData("[QueueMessage] public readonly record struct Trade(int Id);",
        "[QueueMessage] public readonly partial record struct Trade(int Id);")]
    [InlineData("// stays\n[QueueMessage]\n    // stays too\n    class Order;",
        "// stays\n[QueueMessage]\n    // stays too\n    partial class Order;")]
    [InlineData("[QueueMessage] public\nclass Order;", "[QueueMessage] public\npartial class Order;")]
    [InlineData("[QueueMessage]\n\tpublic\n\t// stays\n\tclass Order;", "[QueueMessage]\n\tpublic\n\t// stays\n\tpartial class Order;")]
    [InlineData(
        "class Outer { public static class Middle { [QueueMessage] public struct Point { public int X; } } }",
        "partial class Outer { public static partial class Middle { [QueueMessage] public partial struct Point { public int X; } } }")]
    public async Task Adds_the_keyword_wherever_it_is_missing(string before, string after)
        => Assert.Equal(after, await FixRun.Apply(new MakePartialFix(), before));
}
