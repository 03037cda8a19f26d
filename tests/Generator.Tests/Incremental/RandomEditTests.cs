using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;

namespace BlitQueue.Generator.Tests.Incremental;

/// <summary>After whatever edits, what a driver makes that has seen them all is what a new one makes.</summary>
public class RandomEditTests
{
    private const int Edits = 120;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public void An_old_driver_makes_what_a_new_one_makes(int seed)
    {
        var project = new EditableProject(seed);
        GeneratorDriver driver = NewDriver().RunGenerators(project.Compilation);
        List<string> script = [];
        (int changes, int reuses) = (0, 0);
        for (int i = 0; i < Edits; i++)
        {
            List<(string, string)> before = Sources(driver);
            script.Add(project.Edit());
            driver = driver.RunGenerators(project.Compilation);
            List<(string, string)> sources = Sources(driver);
            Assert.True(sources.SequenceEqual(Sources(NewDriver().RunGenerators(project.Compilation))),
                $"after edit {i}: {string.Join("\n", script)}");
            changes += before.SequenceEqual(sources) ? 0 : 1;
            reuses += before.Intersect(sources).Any() ? 1 : 0;
        }

        // Edits that change nothing prove little, and so would edits that change all.
        Assert.InRange(changes, Edits / 4, Edits);
        Assert.InRange(reuses, Edits / 2, Edits);
    }

    [Fact]
    public void Each_edit_alone_is_seen_and_so_is_its_undoing()
    {
        var project = new EditableProject(seed: 0);
        GeneratorDriver driver = NewDriver().RunGenerators(project.Compilation);
        foreach (Slot slot in EditableProject.Slots)
        {
            for (int way = slot.Ways.Length - 1; way >= 0; way--)
            {
                string edit = project.Set(slot.Name, way);
                driver = driver.RunGenerators(project.Compilation);
                Assert.True(Sources(driver).SequenceEqual(Sources(NewDriver().RunGenerators(project.Compilation))), edit);
            }
        }
    }

    [Fact]
    public void The_project_compiles_before_it_is_edited()
    {
        GeneratorDriver driver = NewDriver().RunGeneratorsAndUpdateCompilation(
            new EditableProject(seed: 0).Compilation, out Compilation? output, out _);
        Assert.DoesNotContain(Sources(driver), source => source.Item2.Contains("NotSupportedException", StringComparison.Ordinal));
        Assert.Empty(output.GetDiagnostics().Where(diagnostic => diagnostic.Severity == DiagnosticSeverity.Error));
    }

    private static GeneratorDriver NewDriver()
        => CSharpGeneratorDriver.Create([new QueueMessageGenerator().AsSourceGenerator()], parseOptions: Compile.ParseOptions);

    private static List<(string, string)> Sources(GeneratorDriver driver)
    {
        GeneratorRunResult result = driver.GetRunResult().Results.Single();
        Assert.Null(result.Exception);
        return [.. result.GeneratedSources.Select(source => (source.HintName, source.SourceText.ToString()))];
    }
}
