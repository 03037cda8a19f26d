namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0004_CannotBlit
{
    [Fact]
    public async Task Points_at_a_struct_whose_attributes_would_be_ignored()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0004", """
            public struct Point { public int X; [PackIgnore] public int Y; }
            public struct Tick { public long Time; [OnUnpacked] private void After() { } }
            public struct Outer { public Tick Tick; }

            [QueueMessage]
            public partial class Order
            {
                public [|Point|] Point { get; set; }
                public [|List<Outer>?|] Deep { get; set; }
            }
            """);
        Assert.EndsWith("its [PackIgnore] would be ignored, as it counts in messages only; mark the struct [QueueMessage]", messages[0],
            StringComparison.Ordinal);
        Assert.Contains("[OnUnpacked]", messages[1], StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("public struct S { public byte A; public long B; }", "7 bytes of padding lie in front of the field 'B'")]
    [InlineData("public struct S { public long A; public byte B; }", "7 bytes of padding follow its last field 'B'")]
    [InlineData("public struct S { public int A; public nint B; }", "'B' is in the way, as nint has a size that depends on the platform")]
    [InlineData("public unsafe struct S { public int* A; }", "int* has a size that depends on the platform")]
    [InlineData("public struct S { public int A; public bool B; }",
        "'B' is a bool, which must be checked when read; mark the struct [QueueMessage]")]
    [InlineData("public struct S { public decimal A { get; set; } }", "'A' is a decimal, which must be checked when read")]
    [InlineData("public struct S { public DateTime A; }", "which must be checked when read")]
    [InlineData("public struct S { public Inner A; } public struct Inner { public short X; public int Y; }",
        "2 bytes of padding lie in front of the field 'Y'")]
    [InlineData(
        "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Auto)] public struct S { public int A; }",
        "left to the runtime")]
    [InlineData(
        "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Size = 16)] public struct S { "
        + "public int A; }", "asks for 16 bytes, of which its fields fill 4")]
    [InlineData("public struct S;", "it has no fields")]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(int.MaxValue)] public struct S { private long _first; }", "is the most")]
    [InlineData("public struct S { public Int128 A; }", "which not every runtime aligns alike")]
    [InlineData("public unsafe struct S { public fixed int A[4]; }", "use an [InlineArray] struct")]
    [InlineData(
        Explicit
        + "public struct S { [System.Runtime.InteropServices.FieldOffset(0)] public int A; "
            + "[System.Runtime.InteropServices.FieldOffset(2)] public int B; }", "'B' overlaps another one")]
    [InlineData(
        Explicit
        + "public struct S { [System.Runtime.InteropServices.FieldOffset(0)] public int A; "
            + "[System.Runtime.InteropServices.FieldOffset(8)] public int B; }", "4 bytes of padding lie in front of the field 'B'")]
    public async Task Says_which_field_and_why(string declaration, string expected)
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect(
            "BQ0004", declaration + "[QueueMessage] public partial class Order { public [|S|] Value { get; set; } }");
        Assert.Contains(expected, Assert.Single(messages));
    }

    [Theory]
    [InlineData("nint")]
    [InlineData("UIntPtr")]
    [InlineData("System.Numerics.Vector<int>")]
    [InlineData("System.Runtime.InteropServices.GCHandle")]
    [InlineData("Index")]
    [InlineData("Range")]
    public Task Refuses_what_is_not_proven(string type) => AnalyzerRun.Expect("BQ0004", $$"""
        [QueueMessage] public partial class Order { public [|{{type}}|] Value { get; set; } public [|List<{{type}}>?|] Many { get; set; } }
        """);

    [Theory]
    [InlineData("public struct S { public byte A, B; public short C; public int D; public long E; }")]
    [InlineData(
        "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Sequential, Pack = 1)] public struct S { "
        + "public byte A; public long B; }")]
    [InlineData("public struct S { public Guid Id; public DayOfWeek Day; } ")]
    [InlineData("public struct S { public Half A; public char B; public float C; public TimeSpan D; }")]
    [InlineData("[System.Runtime.CompilerServices.InlineArray(5)] public struct S { private byte _first; }")]
    [InlineData("public record struct S(int A, float B);")]
    [InlineData(
        Explicit
        + "public struct S { [System.Runtime.InteropServices.FieldOffset(4)] public int B; "
            + "[System.Runtime.InteropServices.FieldOffset(0)] public int A; }")]
    public Task Is_silent_about_what_is_proven(string declaration)
        => AnalyzerRun.ExpectNone(declaration + "[QueueMessage] public partial class Order { public S Value { get; set; } }");

    [Theory]
    [InlineData("Vector2")]
    [InlineData("Vector3")]
    [InlineData("Vector4")]
    [InlineData("Quaternion")]
    [InlineData("Matrix3x2")]
    [InlineData("Matrix4x4")]
    public Task Is_silent_about_compiled_structs_that_show_their_fields(string type)
        => AnalyzerRun.ExpectNone(
            $$"""[QueueMessage] public partial class Order { public System.Numerics.{{type}} Value { get; set; } }""");

    private const string Explicit = "[System.Runtime.InteropServices.StructLayout(System.Runtime.InteropServices.LayoutKind.Explicit)] ";

    [Fact]
    public async Task Calls_a_fixed_size_buffer_by_its_name()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0004", """
            [QueueMessage] public unsafe partial struct Frame { public fixed [|int|] D[4]; }
            """);
        Assert.Equal("'D' cannot be packed: it is a fixed-size buffer; use an array", messages[0]);
    }
}
