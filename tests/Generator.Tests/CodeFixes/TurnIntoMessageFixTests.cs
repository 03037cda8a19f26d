using BlitQueue.Generator.CodeFixes.Migration;

namespace BlitQueue.Generator.Tests.CodeFixes;

public class TurnIntoMessageFixTests
{
    [Theory]
    [InlineData("[MemoryPackable] public partial class Order { public int Id; }",
        "[QueueMessage] public partial class Order { public int Id; }")]
    [InlineData("[MemoryPackable(SerializeLayout.Explicit)] public partial class Order;", "[QueueMessage] public partial class Order;")]
    [InlineData("[MessagePackObject] public class Order { [Key(0)] public int Id; [Key(1)] public int B; }",
        "[QueueMessage] public partial class Order { [PackOrder(0)] public int Id; [PackOrder(1)] public int B; }")]
    [InlineData("[MessagePackObject] public class Order { [Key(\"a\"), Obsolete,  NonSerialized] public int Id; }",
        "[QueueMessage] public partial class Order { [Obsolete, NonSerialized] public int Id; }")]
    [InlineData("[MessagePackObject(true)] public class Order { [IgnoreMember] public object? Id; }",
        "[QueueMessage] public partial class Order { [PackIgnore] public object? Id; }")]
    [InlineData("[MessagePack.MessagePackObject] public class Order { [MessagePack.Key(\"id\")] public int Id; }",
        "[QueueMessage] public partial class Order { public int Id; }")]
    [InlineData("[MessagePackObject] public record Order([property: Key(0)] int Id, [property: Key(1)] string? B);",
        "[QueueMessage] public partial record Order([property: PackOrder(0)] int Id, [property: PackOrder(1)] string? B);")]
    public Task Maps_the_type_and_its_members(string before, string after) => Expect(before, after);

    [Fact]
    public Task Preserves_comments_and_other_attributes() => Expect(
        """
        /// <summary>An order.</summary>
        [MessagePackObject, Serializable]
        public sealed class Order
        {
            /// <summary>Its number.</summary>
            [Key("id")]
            public int Id { get; set; }

            // never sent
            [IgnoreMember] // why
            public object? Cache { get; set; }
        }
        """,
        """
        /// <summary>An order.</summary>
        [QueueMessage, Serializable]
        public sealed partial class Order
        {
            /// <summary>Its number.</summary>
            public int Id { get; set; }

            // never sent
            [PackIgnore] // why
            public object? Cache { get; set; }
        }
        """);

    [Fact]
    public Task Maps_what_MemoryPack_has() => Expect(
        """
        [MemoryPackable]
        public partial class Order
        {
            [MemoryPackConstructor] public Order(int id) { Id = id; }
            public Order() { }
            [MemoryPackOrder(0)] public int Id { get; set; }
            [MemoryPackInclude, MemoryPackOrder(1)] private int _secret;
            [MemoryPackIgnore] public int Twice { get => _secret; set => _secret = value; }
            [MemoryPackOnSerializing] private void A() { }
            [MemoryPackOnSerialized] private static void B() { }
            [MemoryPackOnDeserializing] private static void C() { }
            [MemoryPackOnDeserialized] private void D() { }
        }
        """,
        """
        [QueueMessage]
        public partial class Order
        {
            [PackConstructor] public Order(int id) { Id = id; }
            public Order() { }
            [PackOrder(0)] public int Id { get; set; }
            [PackInclude, PackOrder(1)] private int _secret;
            [PackIgnore] public int Twice { get => _secret; set => _secret = value; }
            [OnPacking] private void A() { }
            [OnPacked] private static void B() { }
            [OnUnpacking] private static void C() { }
            [OnUnpacked] private void D() { }
        }
        """);

    [Fact]
    public Task Maps_the_callbacks_of_MessagePack() => Expect(
        """
        [MessagePackObject(true)]
        public class Order : IMessagePackSerializationCallbackReceiver
        {
            // before
            public void OnBeforeSerialize() { }
            public void OnAfterDeserialize() { }
        }
        """,
        """
        [QueueMessage]
        public partial class Order : IMessagePackSerializationCallbackReceiver
        {
            // before
            [OnPacking]
            public void OnBeforeSerialize() { }
            [OnUnpacked]
            public void OnAfterDeserialize() { }
        }
        """);

    [Fact]
    public Task Leaves_comments_and_directives_around_attributes_that_it_removes() => Expect(
        """
        [MessagePackObject]
        public partial class Order
        {
        #if !NEVER
            [Key("a")] // why this is here
        #else
            [Key("b")]
        #endif
            public int Id;
            [Key("c")]
        #pragma warning disable CS0649
            public int C;
        #pragma warning restore CS0649
            [Key("d")]
            [Obsolete] // soon
            public int D;
        #if !NEVER
            [Key("e")]
        #endif
            public int E;
        }
        """,
        """
        [QueueMessage]
        public partial class Order
        {
        #if !NEVER
            // why this is here
        #else
            [Key("b")]
        #endif
            public int Id;
            #pragma warning disable CS0649
            public int C;
        #pragma warning restore CS0649
            [Obsolete] // soon
            public int D;
        #if !NEVER
            #endif
            public int E;
        }
        """);

    [Fact]
    public Task Leaves_comments_and_lines_of_a_records_parameters() => Expect(
        """
        [MessagePackObject]
        public partial record Order(
            // the id
            [property: Key("a")] int Id,
            /* b */ [property: Key("b")] int B);
        """,
        """
        [QueueMessage]
        public partial record Order(
            // the id
            int Id,
            /* b */ int B);
        """);

    [Fact]
    public Task Turns_all_parts_and_nested_types_one_by_one() => Expect(
        """
        [MemoryPackable]
        public partial class Order { [MemoryPackable] public partial class Inner { [MemoryPackIgnore] public object? A; } }
        public partial class Order { [MemoryPackIgnore] public object? Cache; }
        """,
        """
        [QueueMessage]
        public partial class Order { [QueueMessage] public partial class Inner { [PackIgnore] public object? A; } }
        public partial class Order { [PackIgnore] public object? Cache; }
        """);

    [Theory]
    [InlineData(
        "[MemoryPackable(GenerateType.VersionTolerant)] public partial class Order;",
        "[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Order;")]
    [InlineData(
        "[MemoryPackable, MemoryPackUnion(0, typeof(A)), MemoryPackUnion(300, typeof(B))] public partial interface IOrder;",
        "[QueueMessage, PackUnion(0, typeof(A)), PackUnion(300, typeof(B))] public partial interface IOrder;")]
    [InlineData(
        "[Union(0, typeof(A))] [Union(1, typeof(B))] public abstract class Order;",
        "[QueueMessage]\n[PackUnion(0, typeof(A))] [PackUnion(1, typeof(B))] public abstract partial class Order;")]
    public async Task Maps_layouts_and_unions(string before, string after)
        => Assert.Equal(Source(after), await FixRun.Apply(new TurnIntoMessageFix(), Source(before), mustCompile: false));

    [Fact]
    public async Task Writes_full_names_where_the_short_ones_mean_something_else()
    {
        const string Shop = "namespace Shop { class PackIgnoreAttribute : Attribute; ";
        string text = await FixRun.Apply(
            new TurnIntoMessageFix(),
            Source(Shop + "[MemoryPackable] public partial class Order { [MemoryPackIgnore] public object? A; } }"));
        Assert.Equal(Source(Shop + "[QueueMessage] public partial class Order { [BlitQueue.PackIgnore] public object? A; } }"), text);
    }

    private static async Task Expect(string before, string after)
        => Assert.Equal(Source(after), await FixRun.Apply(new TurnIntoMessageFix(), Source(before)));

    private static string Source(string code) => "using MemoryPack; using MessagePack;\n" + code + "\n"
        + "[QueueMessage] public partial class A; [QueueMessage] public partial class B;\n" + Rivals.Source;
}
