namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0040_UnusableService
{
    [Fact]
    public async Task Points_at_the_interface()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0040", """
            public interface IBase;
            [QueueService] public partial interface [|IGeneric|]<T>;
            [QueueService] public partial interface [|IDerived|] : IBase;
            [QueueService] public partial interface [|ITaken|] { static int Server => 1; }
            public partial class Outer<T> { [QueueService] public partial interface [|IInner|]; }
            """);
        Assert.Equal(
            [
                "'IGeneric<T>' cannot be a service: it has type parameters, or is inside of a type that has",
                "'IDerived' cannot be a service: it derives from another interface, whose methods have no channels",
                "'ITaken' cannot be a service: it has a member named Server, which is generated",
                "'Outer<T>.IInner' cannot be a service: it has type parameters, or is inside of a type that has",
            ],
            messages);
    }

    [Fact]
    public async Task A_service_that_is_not_partial_is_told_so() => await AnalyzerRun.Expect("BQ0001", """
        [QueueService] public interface [|IOrders|];
        """);
}
