using Microsoft.CodeAnalysis.CSharp;

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

    [Fact]
    public Task Calls_back_and_packs_with_what_the_user_wrote() => Verify(GeneratorRun.Clean("""
        public sealed class VersionPacker : IPacker<Version>
        {
            public static void Pack(ref PackWriter writer, scoped in Version? value) => writer.WriteString(value?.ToString());
            public static void Unpack(ref PackReader reader, scoped ref Version? value) => value = null;
        }

        [QueueMessage]
        public sealed partial class Order
        {
            [PackWith(typeof(VersionPacker))] public Version? Version { get; set; }
            [OnPacking] private void Prepare() { }
            [OnPacked] private static void Count() { }
            [OnUnpacking] private void Reset() { }
            [OnUnpacked] private void Index() { }
        }
        """));

    [Theory]
    [InlineData(LanguageVersion.CSharp12)]
    [InlineData(LanguageVersion.CSharp13)]
    public void Compiles_as_older_versions_of_the_language(LanguageVersion version)
    {
        CSharpCompilation source = Compile.Source("""
            [QueueMessage]
            public partial class Order
            {
                public string[]? Names { get; set; }
                public List<string>? List { get; set; }
                public List<string?>? Nullable { get; set; }
                public List<int>? Numbers { get; set; }
                public int?[]? Some { get; set; }
                public Row[]? Rows { get; set; }
                public List<Row>? RowList { get; set; }
                public Dot? Dot { get; set; }
            }

            [QueueMessage] public sealed partial record Row(int Id, List<string> Names);
            [QueueMessage] public partial struct Dot { public int X; }
            """);
        var run = GeneratorRun.Of((CSharpCompilation)Compile.As(version, source));
        Assert.Empty(Compile.Complaints(run.Output));
        Assert.Equal(version >= LanguageVersion.CSharp13, run.File("Order.g.cs").Contains("ref struct View", StringComparison.Ordinal));
    }

    [Fact]
    public void Compiles_where_members_and_parameters_differ_in_nullability() => GeneratorRun.Clean("""
        [QueueMessage]
        public sealed partial class Order
        {
            public Order(string customer, long number) { Customer = customer; Number = (int)number; }
            public string? Customer { get; }
            public int Number { get; }
        }
        """);

    [Fact]
    public void Compiles_for_a_message_written_by_hand() => GeneratorRun.Clean("""
        public class Hand : IPackable<Hand>
        {
            static void IPackable<Hand>.Pack(ref PackWriter writer, scoped in Hand? value) => writer.WriteNull();
            static void IPackable<Hand>.Unpack(ref PackReader reader, scoped ref Hand? value) => value = null;
            static MessageSchema IPackable<Hand>.Schema { get; } = new("Hand", []);
        }

        [QueueMessage] public sealed partial class Order { public Hand? Hand { get; set; } public List<Hand>? Hands { get; set; } }
        """);
}
