namespace BlitQueue.Generator.Tests.Emit;

public class ServiceTests
{
    [Fact]
    public Task Calls_and_answers_by_an_interface() => Verify(GeneratorRun.Clean("""
        using System.Threading;
        using System.Threading.Tasks;

        namespace Shop;

        [QueueMessage] public partial class Order;

        [QueueService]
        public partial interface IOrders
        {
            ValueTask<Order> Get(Order order, CancellationToken cancellationToken = default);
            ValueTask Remove(Order order);
            [OneWay] ValueTask Remind(Order order, CancellationToken token);
            IAsyncEnumerable<Order> List();
        }
        """));

    [Fact]
    public void Client_and_server_compile_whatever_the_interface_looks_like() => GeneratorRun.Clean("""
        using System.Threading;
        using System.Threading.Tasks;

        namespace Shop;

        [QueueMessage] public partial class Order;
        [QueueMessage] public partial struct Price { public long Cents; }

        [QueueService]
        public partial interface IOrders
        {
            ValueTask<Order> Get(Order order, CancellationToken cancellationToken = default);
            ValueTask<Price> Price(Order? @event);
            ValueTask<Price> Total();
            ValueTask Remove(Price price, CancellationToken token);
            [OneWay] ValueTask Remind(Order order);
            IAsyncEnumerable<Order> List(CancellationToken cancellationToken = default);
            IAsyncEnumerable<Order> Since(Order order);
        }

        [QueueService] internal partial interface IEmpty;

        public partial class Outer
        {
            [QueueService] private partial interface IInner { ValueTask<Order> Get(); }
        }

        [QueueMessage, PackUnion(0, typeof(Square)), QueueService] public partial interface IShape { ValueTask<Order> Draw(); }
        [QueueMessage] public sealed partial class Square : IShape { public ValueTask<Order> Draw() => default; }
        """);
}
