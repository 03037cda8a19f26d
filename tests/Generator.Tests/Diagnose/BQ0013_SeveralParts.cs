namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0013_SeveralParts
{
    [Fact]
    public Task Points_at_the_first_member_of_another_part() => AnalyzerRun.Expect("BQ0013", """
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public partial class Order { public int [|Count|] { get; set; } public int Other { get; set; } }
        """);

    [Fact]
    public Task Is_silent_about_parts_without_members() => AnalyzerRun.ExpectNone("""
        public partial class Order { public int Twice => Id * 2; }
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public partial class Order { public int Count() => Id; [PackIgnore] public int Cache { get; set; } }
        """);

    [Fact]
    public void Is_a_warning_and_the_code_works() => GeneratorRun.Clean("""
        [QueueMessage] public partial class Order { public int Id { get; set; } }
        public partial class Order { public int Count { get; set; } }
        public static class Use { public static byte[] Pack() => Packer.Pack(new Order()); }
        """);
}
