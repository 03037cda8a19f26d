using System.Collections.Concurrent;
using BlitQueue.Tests.Processes;
using Xunit;

namespace BlitQueue.Tests.Queue;

/// <summary>
/// 10,000 calls wait, and are cancelled one by one while messages arrive: each message is received once or still there, and each call
/// ends. A call that takes a message and is cancelled at that moment must not lose it.
/// </summary>
public sealed class ManyWaitsTests : QueueFixture
{
    private const int Waits = 10_000, Messages = 6_000;

    // Under Wine five thousand cancellations, which are exceptions, take more than a minute.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    public static TheoryData<string, int> Ways { get; } = new()
    {
        { nameof(Subscription<>.DequeueAsync), 1 },
        { nameof(Subscription<>.DequeueAsync), 50 },
        { nameof(Subscription<>.ReceiveAsync), 1 },
        { nameof(Subscription<>.ReceiveAsync), 50 },
    };

    [Theory]
    [MemberData(nameof(Ways))]
    public async Task Waits_that_are_cancelled_while_messages_arrive_lose_none_and_all_end(string way, int handles)
    {
        using MappedQueue<Note> producer = Open(), consumer = Open();
        Subscription<Note>[] subscriptions = [.. Enumerable.Range(0, handles).Select(_ => consumer.Subscribe("default"))];
        var received = new ConcurrentBag<long>();
        var sources = new CancellationTokenSource[Waits];
        var waits = new Task[Waits];
        for (int wait = 0; wait < Waits; wait++)
        {
            sources[wait] = new CancellationTokenSource();
            waits[wait] = Wait(way, subscriptions[wait % handles], received, sources[wait].Token);
        }
        int[] order = [.. Enumerable.Range(0, Waits)];
        new Random(handles).Shuffle(order);
        // As many are cancelled as are served, in no order, at the same time.
        await Task.WhenAll(
            Task.Run(() => Array.ForEach([.. Enumerable.Range(0, Messages)], id => producer.Enqueue(Of(id)))),
            Task.Run(() => Array.ForEach(order[..(Waits / 2)], wait => sources[wait].Cancel()))).WaitAsync(Patience);
        // What is served and what is cancelled must be all there is, once messages or waits are used up.
        Assert.True(
            SpinWait.SpinUntil(() => received.Count == Messages || Array.TrueForAll(waits, static wait => wait.IsCompleted), Patience),
            $"{received.Count} of {Messages} messages were received, {waits.Count(static wait => !wait.IsCompleted)} calls wait.");
        Array.ForEach(sources, static source => source.Cancel());
        await Task.WhenAll(waits).WaitAsync(Patience);
        long[] left = Drain(consumer);
        Assert.Equal(Enumerable.Range(0, Messages).Select(static id => (long)id), received.Concat(left).Order());
        Array.ForEach(sources, static source => source.Dispose());
    }

    private static async Task Wait(string way, Subscription<Note> subscription, ConcurrentBag<long> received, CancellationToken cancelled)
    {
        try
        {
            if (way == nameof(Subscription<>.DequeueAsync))
            {
                received.Add((await subscription.DequeueAsync(cancellationToken: cancelled)).Id);
                return;
            }
            Lease<Note> lease = await subscription.ReceiveAsync(cancelled);
            received.Add(lease.Read().Id);
            lease.Commit();
        }
        catch (OperationCanceledException)
        {
        }
    }
}
