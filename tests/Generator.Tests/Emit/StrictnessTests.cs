using Microsoft.CodeAnalysis;

namespace BlitQueue.Generator.Tests.Emit;

/// <summary>Generated code compiles without a warning, however strict or lax the project is.</summary>
public class StrictnessTests
{
    private const string Source = """
        namespace Shop
        {
            [QueueMessage]
            public partial class Order
            {
                public int Id { get; set; }
                public string Customer { get; set; } = "";
                public decimal? Total { get; set; }
                public DateTimeOffset Placed { get; set; }
                public DayOfWeek Day { get; set; }
                public List<Line> Lines { get; set; } = new();
                public string[] Tags { get; set; } = new string[0];
                public int?[] Numbers { get; set; } = new int?[0];
                public Trade Trade { get; set; } = new(1, "");
                public Dot Where { get; set; }
                public List<List<Dot?>> Deep { get; set; } = new();
                [Obsolete("still packed")] public int Old { get; set; }
                [PackInclude] private long _secret;
                public long Secret() => _secret++;
                [OnPacking] private void Before() { }
                [OnUnpacked] private static void After() { }
            }

            [QueueMessage] public sealed partial class Line { public required string Name { get; set; } public ulong Price { get; init; } }
            [QueueMessage] public partial record Trade(long Id, string Symbol, byte Kind = 3);
            [QueueMessage] public partial record struct Dot(int X, string Label);
            [QueueMessage(Strings = StringEncoding.Utf16)] public partial struct Text { public string Value; }
            public partial class Outer<T> { [QueueMessage] internal partial class @class { public char @event { get; set; } public Half Half; } }
        }
        """;

    [Theory]
    [InlineData(NullableContextOptions.Enable, true)]
    [InlineData(NullableContextOptions.Enable, false)]
    [InlineData(NullableContextOptions.Disable, true)]
    [InlineData(NullableContextOptions.Disable, false)]
    [InlineData(NullableContextOptions.Annotations, true)]
    [InlineData(NullableContextOptions.Warnings, true)]
    public void Every_warning_as_an_error(NullableContextOptions nullable, bool isChecked)
    {
        var compilation = Compile.Source(Source);
        var strict = compilation.WithOptions(compilation.Options
            .WithNullableContextOptions(nullable)
            .WithOverflowChecks(isChecked)
            .WithAllowUnsafe(false)
            .WithGeneralDiagnosticOption(ReportDiagnostic.Error));

        var run = GeneratorRun.Of(strict);
        // Each of the six has its view inside.
        Assert.Equal(6, run.Result.GeneratedSources.Length);
        Assert.Empty(run.Output.GetDiagnostics().Where(diagnostic => IsGenerated(diagnostic) && diagnostic.Severity >= DiagnosticSeverity.Info));
    }

    [Fact]
    public void Missing_documentation_is_not_complained_of()
    {
        var compilation = Compile.Source(Source);
        var documented = compilation.WithOptions(compilation.Options.WithSpecificDiagnosticOptions([new("CS1591", ReportDiagnostic.Error)]));
        Assert.Empty(GeneratorRun.Of(documented).Output.GetDiagnostics().Where(IsGenerated));
    }

    private static bool IsGenerated(Diagnostic diagnostic) => diagnostic.Location.SourceTree?.FilePath.EndsWith(".g.cs", StringComparison.Ordinal) == true;
}
