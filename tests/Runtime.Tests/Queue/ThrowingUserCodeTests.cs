using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// Code of the user's that a call runs throws: the caller gets the exception as it is, nothing is lost or half there,
/// nothing stays taken, and the queue goes on.
/// </summary>
public sealed partial class ThrowingUserCodeTests : IDisposable
{
    private const int Long = 300_000;

    private static readonly OwnCode[] OfPacking = [OwnCode.OnPacking, OwnCode.Getter, OwnCode.Enumerable, OwnCode.Packer, OwnCode.OnPacked];
    private static readonly OwnCode[] OfUnpacking =
        [OwnCode.Constructor, OwnCode.OnUnpacking, OwnCode.Setter, OwnCode.Unpacker, OwnCode.OnUnpacked];

    private readonly Site _site = new();
    private readonly MappedStore _store;

    public ThrowingUserCodeTests() => _store = MappedStore.Open(_site.Queue, new QueueOptions { SegmentSize = 1 << 16 });

    public static IEnumerable<object[]> Producing() => from way in Senders.Keys from code in OfPacking select new object[] { way, code };

    public static IEnumerable<object[]> Consuming() => from way in Takers.Keys from code in OfUnpacking select new object[] { way, code };

    [Theory]
    [MemberData(nameof(Producing))]
    public async Task What_packing_throws_reaches_the_caller_and_nothing_is_enqueued(string way, OwnCode code)
    {
        using (MappedQueue<Fragile> queue = Open(), other = Open())
        {
            queue.Enqueue(Fragile.Of(0));
            await Throws(code, id: 2, () => Senders[way](this, queue));
            other.Enqueue(Fragile.Of(3));
            queue.Enqueue(Fragile.Of(4, Long));
            queue.EnqueueBatch([Fragile.Of(5), Fragile.Of(6)]);
            Assert.Equal([0, 3, 4, 5, 6], Drain(other));
        }
        AssertNothingOpen();
    }

    [Theory]
    [MemberData(nameof(Consuming))]
    public async Task What_unpacking_throws_reaches_the_caller_and_nothing_is_lost(string way, OwnCode code)
    {
        using (MappedQueue<Fragile> queue = Open(), other = Open())
        {
            foreach (int length in (int[])[0, Long])
            {
                var properties = new MessageProperties { Label = "with properties" };
                queue.Enqueue(Fragile.Of(0, length));
                queue.Enqueue(Fragile.Of(1, length), properties);
                queue.Enqueue(Fragile.Of(2, length));
                await Throws(code, id: null, () => Takers[way](this, queue));
                Assert.Equal(0, queue.GetStatus().Subscriptions.Sum(static one => one.InFlight));
                Assert.Equal([0, 1, 2], Drain(other));
            }
        }
        AssertNothingOpen();
    }

    private MappedQueue<Fragile> Open() => _store.OpenQueue<Fragile>("queue");

    private static async Task Throws(OwnCode code, long? id, Func<Task> call)
    {
        Fragile.Arm(code, id);
        try
        {
            Assert.Equal($"thrown in {code}", (await Assert.ThrowsAsync<FragileException>(call)).Message);
        }
        finally
        {
            Fragile.Disarm();
        }
    }

    private static long[] Drain(MappedQueue<Fragile> queue)
    {
        List<long> ids = [];
        for (Fragile? message = null; queue.TryDequeue(ref message); message = null)
        {
            Assert.Equal([1, 2], message!.Numbers);
            ids.Add(message.Id);
        }
        return [.. ids];
    }

    // A mapping of the queue that is still there after all handles are disposed would be one of a call that never ended.
    private void AssertNothingOpen() => Assert.True(SpinWait.SpinUntil(
        () => OwnProcess.Mappings(Path.Combine(_site.Queue, "queue")).Length == 0,
        TimeSpan.FromSeconds(10)));

    public void Dispose()
    {
        Fragile.Disarm();
        _store.Dispose();
        _site.Dispose();
    }
}
