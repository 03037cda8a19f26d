namespace BlitQueue.Generator.Tests.Incremental;

/// <summary>What an edit costs: only a change that the generated code depends on may run the emitter.</summary>
public class RunReasonTests
{
    private const string Order
        = "[QueueMessage] public partial class Order { public int Id { get; set; } public Spot Where { get; set; } }";
    private const string Spot = "public struct Spot { public int X; public int Y; }";

    [Fact]
    public void The_first_run_is_new() => Expect(GeneratorRun.Of(Order, Spot), "Model: New", "Output: New");

    [Fact]
    public void An_unrelated_file_changes_nothing()
        => Expect(GeneratorRun.Of(Order, Spot).Add(2, "class Unrelated;"), "Model: Cached", "Output: Cached");

    [Fact]
    public void A_comment_changes_nothing()
        => Expect(GeneratorRun.Of(Order, Spot).Edit(0, "// first\n" + Order), "Model: Cached", "Output: Cached");

    [Fact]
    public void A_method_changes_nothing()
        => Expect(
            GeneratorRun.Of(Order, Spot)
                .Edit(0, Order.Replace("public int Id", "public int Twice() => Id * 2; public int Id", StringComparison.Ordinal)),
            "Model: Cached", "Output: Cached");

    [Fact]
    public void A_new_member_changes_the_output()
    {
        GeneratorRun run = GeneratorRun.Of(Order, Spot)
            .Edit(0, Order.Replace("public int Id", "public int Second { get; set; } public int Id", StringComparison.Ordinal));
        Expect(run, "Model: Modified", "Output: Modified");
        Assert.Contains("message.Second", run.File("Order.g.cs"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_members_type_that_changes_in_another_file_changes_the_output()
    {
        var run = GeneratorRun.Of(Order, Spot);
        Assert.Contains("fixedLength: 12", run.File("Order.g.cs"), StringComparison.Ordinal);
        run.Edit(1, "public struct Spot { public int X; public int Y; public int Z; }");
        Expect(run, "Model: Modified", "Output: Modified");
        Assert.Contains("fixedLength: 16", run.File("Order.g.cs"), StringComparison.Ordinal);
        run.Edit(1, "public struct Spot { public int X; public string Y; }");
        Assert.Contains("NotSupportedException", run.File("Order.g.cs"), StringComparison.Ordinal);
        run.Edit(1, "[QueueMessage] public partial struct Spot { public int X; public string Y; }");
        Assert.Contains("UnpackSpot", run.File("Order.g.cs"), StringComparison.Ordinal);
        Assert.Empty(Compile.Complaints(run.Output));
    }

    [Fact]
    public void A_base_class_that_changes_in_another_file_changes_the_output()
    {
        var run = GeneratorRun.Of("[QueueMessage] public partial class Order : Root;", "public class Root { public int A { get; set; } }");
        run.Edit(1, "public class Root { public int A { get; set; } public int B { get; set; } }");
        Expect(run, "Model: Modified", "Output: Modified");
    }

    [Fact]
    public void A_second_message_leaves_the_first_alone()
        => Expect(
            GeneratorRun.Of(Order, Spot).Add(2, "[QueueMessage] public partial class Other { public int A { get; set; } }"),
            "Model: Cached", "Model: New", "Output: Cached", "Output: New");

    [Theory]
    [InlineData(0, "// a comment\n" + Order)]
    [InlineData(0, Order + " class Beside { int _field; }")]
    [InlineData(1, Spot + " [Obsolete] public class Attributed;")]
    [InlineData(2, "public class Other { public void Changed() => Console.WriteLine(2); }")]
    [InlineData(2, "")]
    public void No_step_runs_for_an_unrelated_edit(int index, string text)
    {
        var run = GeneratorRun.Of(Order, Spot, "public class Other { public void Changed() => Console.WriteLine(1); }");
        Assert.False(RunReasons.AllReused(run));
        Assert.True(RunReasons.AllReused(run.Edit(index, text)));
    }

    [Fact]
    public void An_edit_of_one_message_leaves_the_file_names_alone()
    {
        GeneratorRun run = GeneratorRun.Of(Order, Spot).Edit(0, Order.Replace("int Id", "long Id", StringComparison.Ordinal));
        Assert.All(
            run.Result.TrackedSteps[StepNames.HintName].SelectMany(step => step.Outputs),
            output => Assert.Equal(Microsoft.CodeAnalysis.IncrementalStepRunReason.Unchanged, output.Reason));
        Assert.All(
            run.Result.TrackedSteps[StepNames.Clashes].SelectMany(step => step.Outputs),
            output => Assert.Equal(Microsoft.CodeAnalysis.IncrementalStepRunReason.Cached, output.Reason));
    }

    private static void Expect(GeneratorRun run, params string[] reasons) => Assert.Equal(reasons, RunReasons.Of(run));
}
