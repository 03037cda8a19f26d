using BlitQueue.Generator.CodeFixes;

namespace BlitQueue.Generator.Tests.CodeFixes;

public class NumberMemberFixTests
{
    [Fact]
    public async Task Numbers_members_in_their_order() => Assert.Equal(
        """
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Order
        {
            /// <summary>Kept.</summary>
            [PackOrder(0)] public long Id { get; set; }

            [PackIgnore] public int Cache { get; set; }
            [PackOrder(1)] [Obsolete] public string? Text;
            [PackOrder(2)] [PackInclude] private int Hidden { get; set; }
            public long Twice => Id * 2;
        }
        """,
        await FixRun.Apply(new NumberMemberFix(), """
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Order
        {
            /// <summary>Kept.</summary>
            public long Id { get; set; }

            [PackIgnore] public int Cache { get; set; }
            [Obsolete] public string? Text;
            [PackInclude] private int Hidden { get; set; }
            public long Twice => Id * 2;
        }
        """));

    [Fact]
    public async Task Goes_on_behind_the_numbers_that_are_there() => Assert.Equal(
        """
        public class Root { [PackOrder(7)] public int First { get; set; } }
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Order : Root { [PackOrder(8)] public int Early { get; set; } [PackOrder(3)] public int Second { get; set; }
            [PackOrder(9)] public int Late; }
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial record Trade([property: PackOrder(0)] int A, [property: PackOrder(1)] string? B);
        """,
        await FixRun.Apply(new NumberMemberFix(), """
        public class Root { [PackOrder(7)] public int First { get; set; } }
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial class Order : Root { public int Early { get; set; } [PackOrder(3)] public int Second { get; set; }
            public int Late; }
        [QueueMessage(Layout = PackLayout.VersionTolerant)]
        public partial record Trade(int A, string? B);
        """));

    [Fact]
    public async Task All_at_once_get_numbers_of_their_own() => Assert.Equal(
        [
            "[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Order { [PackOrder(0)] public int A { get; set; } "
                + "public int B; public int C; }",
            "[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Order { public int A { get; set; } [PackOrder(1)] "
                + "public int B; public int C; }",
            "[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Order { public int A { get; set; } public int B; "
                + "[PackOrder(2)] public int C; }",
        ],
        await FixRun.Each(
            new NumberMemberFix(),
            "[QueueMessage(Layout = PackLayout.VersionTolerant)] public partial class Order { public int A { get; set; } public int B; "
                + "public int C; }"));

    [Fact]
    public async Task Leaves_a_number_alone_that_cannot_be()
        => Assert.Empty(await FixRun.Each(
            new NumberMemberFix(),
            "[QueueMessage] public partial class Order { [PackOrder(1)] public int A { get; set; } [PackOrder(1)] public int B; }"));
}
