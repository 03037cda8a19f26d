using System.Collections;
using System.Reflection;
using BlitQueue.Generator.Caching;
using BlitQueue.Generator.Model;
using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Incremental;

/// <summary>What the pipeline keeps between runs must not hold on to a compilation.</summary>
public class PurityTests
{
    private static readonly Type[] Forbidden = [typeof(ISymbol), typeof(SyntaxNode), typeof(Compilation), typeof(Location),
        typeof(SyntaxTree), typeof(SemanticModel)];

    [Fact]
    public void Nothing_of_the_compiler_is_reachable_from_a_step()
    {
        var run = GeneratorRun.Of("""
            public class Root { public virtual int R { get; set; } }
            [QueueMessage] public partial class Order : Root { public int Id { get; set; } public List<Order[]>? Nested { get; set; }
                public DayOfWeek? Day { get; set; } }
            [QueueMessage] public partial record Trade(int Id, string Name = "x") { public required Order Order { get; init; } }
            [QueueMessage] public partial class Box<T> { public T? Content { get; set; } public Box<(Trade, int)>? Other { get; set; }
                private enum Mine { A } public static object Make() => new Box<Mine>(); }
            [QueueMessage] public partial class Refused { public object? Bad { get; set; } }
            """);

        var outputs = StepNames.All.Concat(StepNames.OfGenerics).SelectMany(name => run.Result.TrackedSteps[name])
            .SelectMany(step => step.Outputs).ToList();
        // Files, messages, their file names, the names that clash, and what stands for type parameters.
        Assert.Equal(2 + 4 + 4 + 1 + 1 + 1, outputs.Count);
        HashSet<object> seen = new(ReferenceEqualityComparer.Instance);
        foreach ((object? value, IncrementalStepRunReason _) in outputs)
        {
            Walk(value, value.GetType().Name, seen);
        }

        Assert.True(seen.Count > 20);
    }

    [Fact]
    public void Nothing_of_the_compiler_is_reachable_from_the_memo()
    {
        MessageMemo memo = new();
        Assert.Single(
            memo.Find(
            Compile.Source(
                "[QueueMessage] public partial class Order { public int Id { get; set; } public List<Order>? Others { get; set; } }"),
                default)[0]);
        HashSet<object> seen = new(ReferenceEqualityComparer.Instance);
        Walk(memo, "memo", seen);
        Assert.Contains(seen, found => found is MessageModel);
    }

    [Fact]
    public void The_walk_finds_what_it_looks_for()
    {
        SyntaxTree tree = Compile.Tree("class A;", "A.cs");
        Assert.ThrowsAny<Exception>(() => Walk(new { Inner = new[] { tree.GetRoot() } }, "root", new(ReferenceEqualityComparer.Instance)));
    }

    private static void Walk(object? value, string path, HashSet<object> seen)
    {
        if (value is null or string || value.GetType().IsPrimitive || value.GetType().IsEnum || !seen.Add(value))
        {
            return;
        }

        Assert.False(Forbidden.Any(type => type.IsInstanceOfType(value)), $"{path} is a {value.GetType()}");
        if (value is IEnumerable items)
        {
            foreach (object? item in items)
            {
                Walk(item, path + "[]", seen);
            }
        }

        for (Type? type = value.GetType(); type is not null; type = type.BaseType)
        {
            foreach (FieldInfo field in type.GetFields(
                BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly))
            {
                Walk(field.GetValue(value), $"{path}.{field.Name}", seen);
            }
        }
    }
}
