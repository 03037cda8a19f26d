using Xunit;

namespace BlitQueue.Tests.Queue;

/// <content>The ways in and out of a queue, each of which runs the message's code.</content>
public sealed partial class ThrowingUserCodeTests
{
    // Message 2 is the one that throws.
    private static readonly Dictionary<string, Func<ThrowingUserCodeTests, MappedQueue<Fragile>, Task>> Senders = new()
    {
        ["Enqueue"] = Sends(static queue => queue.Enqueue(Fragile.Of(2))),
        ["Enqueue, long"] = Sends(static queue => queue.Enqueue(Fragile.Of(2, Long))),
        ["Enqueue, Commit"] = Sends(static queue => queue.Enqueue(Fragile.Of(2), Durability.Commit)),
        ["Enqueue, properties"] = Sends(static queue => queue.Enqueue(Fragile.Of(2), new MessageProperties { Label = "label" })),
        ["TryEnqueue"] = Sends(static queue => queue.TryEnqueue(Fragile.Of(2))),
        ["EnqueueBatch"] = Sends(static queue => queue.EnqueueBatch([Fragile.Of(1), Fragile.Of(2), Fragile.Of(3)])),
        ["EnqueueBatch, properties"] = Sends(
            static queue => queue.EnqueueBatch([Fragile.Of(1), Fragile.Of(2)], new MessageProperties { Label = "label" })),
        ["EnqueueAsync"] = static async (_, queue) => await queue.EnqueueAsync(Fragile.Of(2)),
        ["EnqueueBatchAsync"] = static async (_, queue) => await queue.EnqueueBatchAsync([Fragile.Of(1), Fragile.Of(2)]),
        ["channel"] = Sends(static queue => queue.AsChannelWriter().TryWrite(Fragile.Of(2))),
        ["transaction"] = static (test, queue) =>
        {
            using QueueTransaction transaction = test._store.Begin();
            transaction.EnqueueBatch(queue, [Fragile.Of(1), Fragile.Of(2)]);
            transaction.Commit();
            return Task.CompletedTask;
        },
        ["transaction that is committed without it"] = static (test, queue) =>
        {
            using QueueTransaction transaction = test._store.Begin();
            try
            {
                transaction.Enqueue(queue, Fragile.Of(2));
            }
            finally
            {
                transaction.Commit();
            }
            return Task.CompletedTask;
        },
        ["transaction to all"] = static (test, queue) =>
        {
            using QueueTransaction transaction = test._store.Begin();
            transaction.EnqueueToAll(Fragile.Of(2), queue, queue);
            transaction.Commit();
            return Task.CompletedTask;
        },
    };

    private static readonly Dictionary<string, Func<ThrowingUserCodeTests, MappedQueue<Fragile>, Task>> Takers = new()
    {
        ["TryDequeue"] = Takes(static queue => TryDequeue(queue)),
        ["TryDequeue, properties"] = Takes(static queue => TryDequeue(queue, new MessageProperties())),
        ["TryDequeue, many"] = Takes(static queue => queue.TryDequeue(new Fragile?[3].AsSpan())),
        ["TryDequeue beside leases"] = Takes(static queue =>
        {
            GiveBackFirst(queue);
            TryDequeue(queue);
        }),
        ["TryDequeue beside leases, many"] = Takes(static queue =>
        {
            GiveBackFirst(queue);
            queue.TryDequeue(new Fragile?[3].AsSpan());
        }),
        ["TryDequeue, exclusive"] = Takes(static queue =>
        {
            using Subscription<Fragile> alone = queue.Subscribe("alone", new SubscriptionOptions { Exclusive = true });
            alone.Seek(QueuePosition.Oldest);
            Fragile? message = null;
            alone.TryDequeue(ref message);
        }),
        ["DequeueAsync"] = static async (_, queue) => await queue.DequeueAsync(),
        ["ReadAllAsync"] = static async (_, queue) =>
        {
            await foreach (Fragile message in queue.ReadAllAsync())
            {
                Assert.NotNull(message);
            }
        },
        ["channel"] = static async (_, queue) => await queue.AsChannelReader().ReadAsync(),
        ["TryPeek"] = Takes(static queue =>
        {
            Fragile? message = null;
            queue.TryPeek(ref message);
        }),
        ["lease"] = Takes(static queue =>
        {
            using Subscription<Fragile> subscription = queue.Subscribe("default");
            using Lease<Fragile> lease = subscription.Receive();
            Fragile? message = null;
            lease.ReadInto(ref message);
        }),
        ["transaction"] = static (test, queue) =>
        {
            using QueueTransaction transaction = test._store.Begin();
            Fragile? message = null;
            transaction.TryReceive(queue, ref message);
            return Task.CompletedTask;
        },
        ["transaction, waiting"] = static async (test, queue) =>
        {
            using QueueTransaction transaction = test._store.Begin();
            using Subscription<Fragile> subscription = queue.Subscribe("default");
            await transaction.ReceiveAsync(subscription);
        },
        ["cursor"] = Takes(static queue =>
        {
            using QueueCursor<Fragile> cursor = queue.OpenCursor(QueuePosition.Oldest);
            Fragile? message = null;
            cursor.TryRead(ref message);
        }),
        ["cursor, async"] = static async (_, queue) =>
        {
            using QueueCursor<Fragile> cursor = queue.OpenCursor(QueuePosition.Oldest);
            await cursor.ReadAsync();
        },
        ["cursor, enumerated"] = Takes(static queue =>
        {
            using QueueCursor<Fragile> cursor = queue.OpenCursor(QueuePosition.Oldest);
            Assert.NotEmpty(cursor);
        }),
        ["reader"] = Takes(static queue =>
        {
            using var reader = QueueReader<Fragile>.Open(queue.Path);
            Fragile? message = null;
            reader.TryRead(ref message);
        }),
    };

    private static bool TryDequeue(MappedQueue<Fragile> queue, MessageProperties? properties = null)
    {
        Fragile? message = null;
        return properties is null ? queue.TryDequeue(ref message) : queue.TryDequeue(ref message, properties);
    }

    private static void GiveBackFirst(MappedQueue<Fragile> queue)
    {
        using Subscription<Fragile> subscription = queue.Subscribe("default");
        subscription.Receive().Abandon();
    }

    private static Func<ThrowingUserCodeTests, MappedQueue<Fragile>, Task> Sends(Action<MappedQueue<Fragile>> send) => (_, queue) =>
    {
        send(queue);
        return Task.CompletedTask;
    };

    private static Func<ThrowingUserCodeTests, MappedQueue<Fragile>, Task> Takes(Action<MappedQueue<Fragile>> take) => Sends(take);
}
