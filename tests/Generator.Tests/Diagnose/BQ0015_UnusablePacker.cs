namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0015_UnusablePacker
{
    [Fact]
    public async Task Points_at_the_members_type()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0015", """
            public class Explicit : IPacker<Version>
            {
                static void IPacker<Version>.Pack(ref PackWriter writer, scoped in Version? value) { }
                static void IPacker<Version>.Unpack(ref PackReader reader, scoped ref Version? value) { }
            }

            [QueueMessage]
            public partial class Order
            {
                [PackWith(typeof(string))] public [|Version?|] First { get; set; }
                [PackWith(typeof(Explicit))] public [|Version?|] Second { get; set; }
                [PackWith(typeof(Explicit))] public [|Uri?|] Third { get; set; }
                [PackWith(typeof(Explicit))] public [|List<Version>?|] Fourth { get; set; }
                [PackWith(typeof(Explicit))] public [|Dictionary<int, Uri>?|] Fifth { get; set; }
            }
            """);
        Assert.Equal("'First' cannot be packed: string does not implement IPacker<Version>", messages[0]);
        Assert.Equal("'Second' cannot be packed: Explicit does not implement Pack and Unpack publicly", messages[1]);
        Assert.Equal("'Fifth' cannot be packed: Explicit does not implement IPacker<Dictionary<int, Uri>>", messages[4]);
    }
}
