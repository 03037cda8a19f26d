using BlitQueue.Generator.CodeFixes;

namespace BlitQueue.Generator.Tests.CodeFixes;

public class MoveOutOfLoopFixTests
{
    [Theory]
    [InlineData(
        "        while (true)\n        {\n            Order? order = null;\n            q.Dequeue(ref order);\n        }\n",
        "        Order? order = null;\n        while (true)\n        {\n            q.Dequeue(ref order);\n        }\n")]
    [InlineData(
        "        // serves\n        foreach (var i in new int[3])\n        {\n            // reused\n            var order = "
            + "default(Order);\n            q.Dequeue(ref order);\n        }\n",
        "        // serves\n        // reused\n        var order = default(Order);\n        foreach (var i in new int[3])\n        {\n    "
            + "        q.Dequeue(ref order);\n        }\n")]
    // Tabs, and two spaces.
    [InlineData(
        "\twhile (true)\n\t{\n\t\t// reused\n\t\tOrder? order = null; // why\n\t\tq.Dequeue(ref order);\n\t}\n",
        "\t// reused\n\tOrder? order = null; // why\n\twhile (true)\n\t{\n\t\tq.Dequeue(ref order);\n\t}\n")]
    [InlineData(
        "  if (q is null) return;\n\n  while (true) {\n    Order? order = null;\n    q.Dequeue(ref order);\n  }\n",
        "  if (q is null) return;\n\n  Order? order = null;\n  while (true) {\n    q.Dequeue(ref order);\n  }\n")]
    // Something else stands in the line of the declaration, or of the loop.
    [InlineData(
        "        while (true) { Order? order = null; q.Dequeue(ref order); }\n",
        "        Order? order = null;\n        while (true) { q.Dequeue(ref order); }\n")]
    [InlineData(
        "        _ = 1; while (true) { Order? order = null; q.Dequeue(ref order); }\n",
        "        _ = 1; Order? order = null; while (true) { q.Dequeue(ref order); }\n")]
    [InlineData(
        "        while (true)\n        {\n            Order? order = null; q.Dequeue(ref order);\n        }\n",
        "        Order? order = null;\n        while (true)\n        {\n            q.Dequeue(ref order);\n        }\n")]
    [InlineData(
        "        while (true) { Order? order = null;\n            q.Dequeue(ref order);\n        }\n",
        "        Order? order = null;\n        while (true) {\n            q.Dequeue(ref order);\n        }\n")]
    public async Task Moves_the_declaration(string before, string after)
        => Assert.Equal(Source(after), await FixRun.Apply(new MoveOutOfLoopFix(), Source(before)));

    [Fact]
    public async Task Moves_all_at_once()
    {
        string all = await FixRun.All(
            new MoveOutOfLoopFix(),
            Source(
                "        while (true)\n        {\n            Order? a = null;\n            Order? b = null;\n"
                    + "            q.Dequeue(ref a);\n            q.Dequeue(ref b);\n        }\n"));
        Assert.Equal(
            Source(
                "        Order? a = null;\n        Order? b = null;\n        while (true)\n        {\n            q.Dequeue(ref a);\n"
                    + "            q.Dequeue(ref b);\n        }\n"),
            all);
    }

    // Half of them would stay in the loop.
    [Theory]
    [InlineData("#if OTHER\n            Order? order = new();\n#else\n            Order? order = null;\n#endif\n")]
    [InlineData("#if !OTHER\n            Order? order = null;\n#endif\n")]
    [InlineData("            #region a\n            Order? order = null;\n            #endregion\n")]
    [InlineData("#pragma warning disable CS0168\n            Order? order = null;\n#pragma warning restore CS0168\n")]
    public async Task Is_not_offered_where_a_directive_stands_around_the_declaration(string declaration)
    {
        string source = Source("        while (true)\n        {\n" + declaration + "            q.Dequeue(ref order);\n        }\n");
        Assert.Empty(await FixRun.Each(new MoveOutOfLoopFix(), source));
    }

    private static string Source(string body)
        => "[QueueMessage] public partial class Order { public int Id { get; set; } }\n\n"
        + "public static class Use\n{\n    public static void Run(MappedQueue<Order> q)\n    {\n" + body + "    }\n}\n";
}
