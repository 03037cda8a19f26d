namespace BlitQueue.Docs.Mistakes;

/// <summary>What goes wrong when messages are sent and received.</summary>
internal static class UsingMistakes
{
    public static void Enqueuing_to_a_disposed_queue(string root)
    {
        MappedQueue<Order> orders = Open(root);
        orders.Dispose();
        orders.Enqueue(new Order());
    }

    public static void Receiving_from_a_disposed_subscription(string root)
    {
        using MappedQueue<Order> orders = Open(root);
        Subscription<Order> billing = orders.Subscribe("billing");
        billing.Dispose();
        billing.TryReceive(out _);
    }

    public static void Enqueuing_null(string root)
    {
        using MappedQueue<Order> orders = Open(root);
        orders.Enqueue(null!);
    }

    public static void A_null_in_a_batch(string root)
    {
        using MappedQueue<Order> orders = Open(root);
        orders.EnqueueBatch([new Order(), new Order(), null!]);
    }

    public static void A_message_that_is_too_long(string root)
    {
        using MappedQueue<Order> orders = Open(root, new QueueOptions { SegmentSize = 1 << 16, MaxMessageSize = 1000 });
        orders.Enqueue(new Order { Customer = new string('a', 2000) });
    }

    public static void A_message_that_never_fits(string root)
    {
        using MappedQueue<Order> orders = Open(root, new QueueOptions { SegmentSize = 1 << 16, Capacity = 4096 });
        orders.Enqueue(new Order { Customer = new string('a', 8000) });
    }

    public static void A_full_queue(string root)
    {
        using MappedQueue<Order> orders = Open(root, new QueueOptions { SegmentSize = 1 << 16, Capacity = 8192, FullMode = FullMode.Fail });
        while (true)
        {
            orders.Enqueue(new Order { Customer = new string('a', 1000) });
        }
    }

    public static void Properties_that_are_too_long(string root)
    {
        using MappedQueue<Order> orders = Open(root);
        orders.Enqueue(new Order(), new MessageProperties { Label = new string('a', 40_000) });
    }

    public static void A_negative_time_to_live(string root)
    {
        using MappedQueue<Order> orders = Open(root);
        orders.Enqueue(new Order(), new MessageProperties { TimeToLive = TimeSpan.FromSeconds(-1) });
    }

    public static void A_lease_that_is_committed_twice(string root)
    {
        using MappedQueue<Order> orders = Filled(root);
        Lease<Order> lease = orders.Subscribe("default").Receive();
        lease.Commit();
        lease.Commit();
    }

    public static void A_lease_that_is_read_after_its_end(string root)
    {
        using MappedQueue<Order> orders = Filled(root);
        Lease<Order> lease = orders.Subscribe("default").Receive();
        lease.Abandon();
        lease.Read();
    }

    public static void A_lease_that_ran_out(string root)
    {
        using MappedQueue<Order> orders = Open(root);
        orders.Enqueue(new Order { Id = 1 });
        using Subscription<Order> slow = orders.Subscribe("default"),
            fast = orders.Subscribe("default", new SubscriptionOptions { VisibilityTimeout = TimeSpan.FromMilliseconds(1) });
        Lease<Order> lease = slow.Receive();
        fast.Receive().Commit();
        lease.Commit();
    }

    public static void A_lease_that_nobody_took(string root) => default(Lease<Order>).Commit();

    public static void A_dead_letter_without_a_reason(string root)
    {
        using MappedQueue<Order> orders = Filled(root);
        orders.Subscribe("default").Receive().DeadLetter(null!);
    }

    public static void A_deleted_subscription(string root)
    {
        using MappedQueue<Order> orders = Filled(root);
        using Subscription<Order> billing = orders.Subscribe("billing");
        orders.DeleteSubscription("billing");
        billing.TryReceive(out _);
    }

    public static void A_second_consumer_of_an_exclusive_subscription(string root)
    {
        using MappedQueue<Order> orders = Filled(root), others = Open(root);
        using Subscription<Order> ledger = orders.Subscribe("ledger", new SubscriptionOptions { Exclusive = true });
        ledger.TryReceive(out _);
        others.Subscribe("ledger").TryReceive(out _);
    }

    public static void Two_leases_of_an_exclusive_subscription(string root)
    {
        using MappedQueue<Order> orders = Filled(root);
        using Subscription<Order> ledger = orders.Subscribe("ledger", new SubscriptionOptions { Exclusive = true });
        ledger.TryReceive(out _);
        ledger.TryReceive(out _);
    }

    public static void Seeking_where_no_message_begins(string root)
    {
        using MappedQueue<Order> orders = Filled(root);
        using Subscription<Order> billing = orders.Subscribe("billing");
        Lease<Order> lease = billing.Receive();
        billing.Seek(new QueuePosition(lease.Position.Value + 8));
    }

    public static void A_transaction_that_is_committed_twice(string root)
    {
        using var store = MappedStore.Open(root + "/shop");
        MappedQueue<Order> orders = store.OpenQueue<Order>("orders", new QueueOptions { SegmentSize = 1 << 16 });
        using QueueTransaction transaction = store.Begin();
        transaction.Enqueue(orders, new Order());
        transaction.Commit();
        transaction.Commit();
    }

    public static void A_transaction_with_a_queue_of_no_store(string root)
    {
        using var store = MappedStore.Open(root + "/shop");
        using MappedQueue<Order> orders = Open(root);
        using QueueTransaction transaction = store.Begin();
        transaction.Enqueue(orders, new Order());
    }

    public static void A_directory_that_was_replaced(string root)
    {
        using MappedQueue<Order> orders = Open(root);
        Directory.Move(root + "/orders", root + "/elsewhere");
        using MappedQueue<Order> others = Open(root);
        orders.Subscribe("billing");
    }

    public static void Bytes_that_are_no_message(string root) => Packer.Unpack<Order>([1, 2, 3, 4, 5, 6, 7, 8]);

    private static MappedQueue<Order> Open(string root, QueueOptions? options = null) =>
        MappedQueue<Order>.Open(root + "/orders", options ?? new QueueOptions { SegmentSize = 1 << 16 });

    private static MappedQueue<Order> Filled(string root)
    {
        MappedQueue<Order> orders = Open(root);
        orders.EnqueueBatch([new Order { Id = 1 }, new Order { Id = 2 }, new Order { Id = 3 }]);
        return orders;
    }
}
