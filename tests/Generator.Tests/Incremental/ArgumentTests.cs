using BlitQueue.Generated;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Incremental;

/// <summary>A closed form of a generic message counts wherever it is written.</summary>
public class ArgumentTests
{
    private const string HintName = "BlitQueue.Generated.TypeArguments.g.cs";

    private const string Box = "[QueueMessage] public partial class Box<T> { public T? Content { get; set; } }";

    [Fact]
    public void One_in_another_file_is_seen_when_it_comes_and_when_it_goes()
    {
        var run = GeneratorRun.Of(Box, "class Other;");
        Assert.DoesNotContain(run.Result.GeneratedSources, source => source.HintName == HintName);

        run.Edit(1, "class Other { object Make() => new Box<List<int>>(); }");
        Assert.Contains("typeof(global::System.Collections.Generic.List<int>)", run.File(HintName), StringComparison.Ordinal);

        run.Add(2, "class Third { Box<DayOfWeek>? _day; }");
        Assert.Contains("ValueArgument<global::System.DayOfWeek>(\"i32\")", run.File(HintName), StringComparison.Ordinal);

        run.Edit(1, "class Other;");
        Assert.DoesNotContain("List<int>", run.File(HintName), StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_argument_is_may_change_in_another_file()
    {
        var run = GeneratorRun.Of(Box, "public enum Color : byte;", "class Other { Box<Color>? _color; }");
        Assert.Contains("ValueArgument<global::Color>(\"u8\")", run.File(HintName), StringComparison.Ordinal);
        Assert.Contains("ValueArgument<global::Color>(\"i64\")", run.Edit(1, "public enum Color : long;").File(HintName),
            StringComparison.Ordinal);
    }

    [Fact]
    public void What_the_message_contains_may_change_in_another_file()
    {
        var run = GeneratorRun.Of(Box, "[QueueMessage] public partial class Crate<T> { public Box<T>? Box { get; set; } }",
            "class Other { Crate<DayOfWeek>? _day; }");
        Assert.DoesNotContain("DayOfWeek[]", run.File(HintName), StringComparison.Ordinal);
        run.Edit(1, "[QueueMessage] public partial class Crate<T> { public Box<T[]>? Box { get; set; } }");
        Assert.Contains("typeof(global::System.DayOfWeek[])", run.File(HintName), StringComparison.Ordinal);
    }

    [Fact]
    public void An_edit_of_anything_else_writes_nothing_anew()
    {
        var run = GeneratorRun.Of(Box, "class Other { Box<List<int>>? _list; void M() { } }");
        run.Edit(1, "class Other { Box<List<int>>? _list; void M() { var n = 1; Box<List<int>> other = new(); } }");
        foreach (string name in StepNames.OfGenerics)
        {
            IncrementalGeneratorRunStep step = Assert.Single(run.Result.TrackedSteps[name]);
            Assert.Contains(Assert.Single(step.Outputs).Reason,
                (IncrementalStepRunReason[])[IncrementalStepRunReason.Unchanged, IncrementalStepRunReason.Cached]);
        }

        Assert.True(RunReasons.AllReused(run));
    }

    [Fact]
    public void A_project_without_generic_messages_has_no_such_file()
    {
        var run = GeneratorRun.Of(
            "[QueueMessage] public partial class Order { public List<int>? Items { get; set; } } public partial class Outer<T> { "
            + "[QueueMessage] public partial class Inner { public int Id { get; set; } } }");
        Assert.DoesNotContain(run.Result.GeneratedSources, source => source.HintName == HintName);
    }
}
