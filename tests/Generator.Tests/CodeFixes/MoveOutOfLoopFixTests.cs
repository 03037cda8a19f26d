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
    public async Task Moves_the_declaration(string before, string after)
        => Assert.Equal(Source(after), await FixRun.Apply(new MoveOutOfLoopFix(), Source(before)));

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
