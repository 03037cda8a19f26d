namespace BlitQueue.Generator.Tests.Incremental;

public class EqualityTests
{
    private const string Source = """
        public class Root { public int R { get; set; } }
        [QueueMessage] public partial class Order : Root { public int Id { get; set; } public List<string?>? Names { get; set; }
            public Dot? Where { get; set; } }
        [QueueMessage] public sealed partial record Dot(int X, int Y = 3);
        """;

    [Fact]
    public void The_same_source_gives_equal_models()
    {
        (List<object>? first, List<object>? second) = (Models(Source), Models(Source));
        Assert.Equal(first, second);
        Assert.Equal(first.Select(model => model.GetHashCode()), second.Select(model => model.GetHashCode()));
    }

    [Theory]
    [InlineData("int Id", "long Id")]
    [InlineData("int Id", "int Number")]
    [InlineData("List<string?>", "List<string>")]
    [InlineData("List<string?>", "string?[]")]
    [InlineData("Y = 3", "Y = 4")]
    [InlineData("int R", "short R")]
    [InlineData("partial class", "sealed partial class")]
    [InlineData("Dot? Where", "Dot Where")]
    [InlineData("Id { get; set; }", "Id { get; init; }")]
    [InlineData("[QueueMessage] public partial class", "[QueueMessage(Strings = StringEncoding.Utf16)] public partial class")]
    public void Another_source_gives_other_models(string old, string other)
        => Assert.NotEqual(Models(Source), Models(Source.Replace(old, other, StringComparison.Ordinal)));

    [Theory]
    [InlineData("int Id", "    int   Id")]
    [InlineData("public partial class Order", "/* why */ public partial class Order")]
    [InlineData("{ get; set; } }\n[", "{ get; set; } }\n\n\n[")]
    public void Layout_and_comments_do_not_matter(string old, string other)
        => Assert.Equal(Models(Source), Models(Source.Replace(old, other, StringComparison.Ordinal)));

    private static List<object> Models(string source)
        => [.. GeneratorRun.Of(source).Result.TrackedSteps[StepNames.Model].SelectMany(step => step.Outputs)
            .Select(output => output.Value)];
}
