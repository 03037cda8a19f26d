namespace BlitQueue.Generator.Tests.Diagnose;

public class BQ0041_UnusableCall
{
    [Fact]
    public async Task Points_at_the_member()
    {
        IReadOnlyList<string> messages = await AnalyzerRun.Expect("BQ0041", """
            using System.Threading;
            using System.Threading.Tasks;

            [QueueMessage] public partial class Order;
            [QueueService]
            public partial interface IOrders
            {
                ValueTask<Order> Get(Order order, CancellationToken cancellationToken = default);
                ValueTask Remove(Order order);
                [OneWay] ValueTask Remind(Order order);
                IAsyncEnumerable<Order> List(CancellationToken cancellationToken = default);
                static int Shared(int number) => number;
                Order [|Wait|](Order order);
                Task<Order> [|Task|](Order order);
                ValueTask<int> [|Count|]();
                ValueTask<Order> [|ById|](int id);
                ValueTask<Order> [|ByTwo|](Order one, Order other);
                ValueTask<Order> [|ByReference|](in Order order);
                ValueTask<Order> [|Generic|]<T>(Order order);
                ValueTask<Order> [|Get|](CancellationToken cancellationToken);
                [OneWay] ValueTask<Order> [|Ask|](Order order);
                int [|Property|] { get; }
            }
            """);
        Assert.Equal(
            [
                "'Wait' cannot be a call: it must return ValueTask<T>, ValueTask, or IAsyncEnumerable<T>",
                "'Task' cannot be a call: it must return ValueTask<T>, ValueTask, or IAsyncEnumerable<T>",
                "'Count' cannot be a call: int is no message; mark it [QueueMessage]",
                "'ById' cannot be a call: int is no message; mark it [QueueMessage]",
                "'ByTwo' cannot be a call: it takes more than one message; put them into one",
                "'ByReference' cannot be a call: a parameter is passed by reference",
                "'Generic' cannot be a call: it has type parameters",
                "'Get' cannot be a call: another method has its name, and its channel too",
                "'Ask' cannot be a call: it is one-way and returns something; let it return ValueTask",
                "'Property' cannot be a call: only a method can be a call",
            ],
            messages);
    }
}
