namespace BlitQueue.Generator.Tests.Emit;

public class OptionTests
{
    [Fact]
    public Task Writes_strings_as_utf16() => Verify(GeneratorRun.Clean("""
        [QueueMessage(Strings = StringEncoding.Utf16)]
        public sealed partial class Text { public string? One { get; set; } public List<string?>? Many { get; set; } }
        """));

    [Fact]
    public void Compiles_where_nullability_is_off_and_members_are_obsolete() => GeneratorRun.Clean("""
        #nullable disable
        [QueueMessage]
        public partial class Old
        {
            public string Name { get; set; }
            public List<string> Names { get; set; }
            public string[][] Grid { get; set; }
            [Obsolete] public Old Next { get; set; }
            [Obsolete("use Next")] public List<Old> Many { get; set; }
        }

        [QueueMessage] public partial record OldRecord(string Name, List<OldRecord> Many);
        """);
}
