namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0014_UnusableCallback
{
    [Fact]
    public async Task Points_at_the_method()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0014", """
            using System.Threading.Tasks;
            public class Base { [OnPacked] private void Hidden() { } }
            [QueueMessage]
            public partial class [|Order|] : Base
            {
                [OnPacking] void [|With|](int number) { }
                [OnPacked] Task [|Later|]() => Task.CompletedTask;
                [OnUnpacking] async void [|Wait|]() => await Task.Yield();
                [OnUnpacked] static void [|Any|]<T>() { }
                [OnUnpacked] static void Fine() { }
            }
            """);
        Assert.Equal("'Hidden' cannot be a callback: it is out of reach in Base", messages[0]);
    }

    [Fact]
    public Task Points_at_the_message_when_a_callback_is_hidden() => AnalyzerRun.Expect("BQ0014", """
        public class Base { [OnPacked] public void Hook() { } }
        [QueueMessage] public partial class [|Order|] : Base { public new void Hook() { } }
        """);
}
