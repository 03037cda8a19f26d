using BlitQueue.Generator.CodeFixes;

namespace BlitQueue.Generator.Tests.CodeFixes;

public class IgnoreMemberFixTests
{
    [Fact]
    public async Task Marks_each_member_that_cannot_be_packed() => Assert.Equal(
        """
        public struct Gap { public byte A; public long B; }

        [QueueMessage]
        public partial class Order
        {
            public int Id { get; set; }

            /// <summary>Kept.</summary>
            [PackIgnore]
            public object? Cache { get; set; }
            [PackIgnore]
            [Obsolete] public List<Action>? Callbacks;
            [PackIgnore]
            public Gap Gap { get; set; }
            [PackIgnore]
            public DateTime Made { get; } = DateTime.UtcNow;
        }
        """,
        await FixRun.Apply(new IgnoreMemberFix(), """
        public struct Gap { public byte A; public long B; }

        [QueueMessage]
        public partial class Order
        {
            public int Id { get; set; }

            /// <summary>Kept.</summary>
            public object? Cache { get; set; }
            [Obsolete] public List<Action>? Callbacks;
            public Gap Gap { get; set; }
            public DateTime Made { get; } = DateTime.UtcNow;
        }
        """));

    [Fact]
    public async Task Leaves_tabs_and_the_lines_around_the_member_alone() => Assert.Equal(
        "[QueueMessage]\npublic partial class Order {\n\tpublic int   Id;\n\t// why\n\t[PackIgnore]\n\tpublic object?  Cache;\n}\n",
        await FixRun.Apply(
            new IgnoreMemberFix(),
            "[QueueMessage]\npublic partial class Order {\n\tpublic int   Id;\n\t// why\n\tpublic object?  Cache;\n}\n"));

    [Fact]
    public async Task Names_the_attribute_in_full_where_another_has_its_name() => Assert.Equal(
        "[BlitQueue.QueueMessage] public partial class Order { [BlitQueue.PackIgnore] public object? Cache { get; set; } class "
            + "PackIgnore; }",
        await FixRun.Apply(new IgnoreMemberFix(),
            "[BlitQueue.QueueMessage] public partial class Order { public object? Cache { get; set; } class PackIgnore; }"));
}
