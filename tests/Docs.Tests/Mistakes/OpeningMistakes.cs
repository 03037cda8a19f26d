namespace BlitQueue.Docs.Mistakes;

/// <summary>What goes wrong when a queue, a store or a subscription is opened.</summary>
internal static class OpeningMistakes
{
    private static readonly QueueOptions Small = new() { SegmentSize = 1 << 16 };

    public static void Another_segment_size(string root)
    {
        MappedQueue<Order>.Open(root + "/orders", Small).Dispose();
        MappedQueue<Order>.Open(root + "/orders", new QueueOptions { SegmentSize = 1 << 17 });
    }

    public static void Another_wish_for_checksums(string root)
    {
        MappedQueue<Order>.Open(root + "/orders", Small).Dispose();
        MappedQueue<Order>.Open(root + "/orders", new QueueOptions { UseChecksums = false });
    }

    public static void Another_file_mode(string root)
    {
        MappedQueue<Order>.Open(root + "/orders", Small).Dispose();
        MappedQueue<Order>.Open(
            root + "/orders",
            new QueueOptions { FileMode = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead });
    }

    public static void No_default_subscription_where_there_is_one(string root)
    {
        MappedQueue<Order>.Open(root + "/orders", Small).Dispose();
        MappedQueue<Order>.Open(root + "/orders", new QueueOptions { CreateDefaultSubscription = false });
    }

    public static void Another_message_type(string root)
    {
        MappedQueue<Order>.Open(root + "/orders", Small).Dispose();
        MappedQueue<Bill>.Open(root + "/orders");
    }

    public static void A_file_where_the_directory_should_be(string root)
    {
        File.WriteAllText(root + "/orders", "not a queue");
        MappedQueue<Order>.Open(root + "/orders");
    }

    public static void No_path(string root) => MappedQueue<Order>.Open("");

    public static void A_segment_size_that_is_no_power_of_two(string root) =>
        MappedQueue<Order>.Open(root + "/orders", new QueueOptions { SegmentSize = 100_000 });

    public static void A_negative_capacity(string root) => MappedQueue<Order>.Open(root + "/orders", new QueueOptions { Capacity = -1 });

    public static void A_flush_interval_of_zero(string root) =>
        MappedQueue<Order>.Open(root + "/orders", new QueueOptions { FlushInterval = TimeSpan.Zero });

    public static void A_durable_queue_in_memory(string root) => MappedQueue<Order>.Open(
        $"/dev/shm/{Path.GetFileName(root)}-durable", new QueueOptions { Durability = Durability.Commit });

    public static void An_express_queue_named_by_a_path(string root) => MappedQueue<Order>.OpenExpress("shop/orders");

    public static void A_queue_of_a_store_named_by_a_path(string root)
    {
        using var store = MappedStore.Open(root + "/shop");
        store.OpenQueue<Order>("../orders");
    }

    public static void No_lanes(string root) => MappedLanes<Order>.Open(root + "/urgent", lanes: 0);

    public static void Another_number_of_lanes(string root)
    {
        MappedLanes<Order>.Open(root + "/urgent", lanes: 2, Small).Dispose();
        MappedLanes<Order>.Open(root + "/urgent", lanes: 3);
    }

    public static void A_store_opened_as_a_queue(string root)
    {
        MappedStore.Open(root + "/shop").Dispose();
        MappedQueue<Order>.Open(root + "/shop");
    }

    public static void The_status_of_lanes(string root)
    {
        MappedLanes<Order>.Open(root + "/urgent", lanes: 2, Small).Dispose();
        MappedQueue.GetStatus(root + "/urgent");
    }

    public static void The_status_of_no_queue(string root) => MappedQueue.GetStatus(root + "/orders");

    public static void A_backup_of_no_queue(string root) => MappedQueue.Backup(root + "/orders", root + "/copy");

    public static void A_backup_over_something(string root)
    {
        MappedQueue<Order>.Open(root + "/orders", Small).Dispose();
        Directory.CreateDirectory(root + "/copy");
        MappedQueue.Backup(root + "/orders", root + "/copy");
    }

    public static void A_repair_while_the_queue_is_open(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", Small);
        MappedQueue.Repair(root + "/orders");
    }

    public static void A_repair_of_no_queue(string root) => MappedQueue.Repair(root + "/orders");

    public static void Deleting_a_queue_that_is_open(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", Small);
        MappedQueue.Delete(root + "/orders");
    }

    public static void A_reader_of_no_queue(string root) => QueueReader<Order>.Open(root + "/orders");

    public static void A_subscription_named_by_a_path(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", Small);
        orders.Subscribe("billing/eu");
    }

    public static void An_ephemeral_default_subscription(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", Small);
        orders.Subscribe("default", new SubscriptionOptions { Ephemeral = true });
    }

    public static void A_subscription_that_is_ephemeral_for_one_and_not_for_another(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", Small);
        using Subscription<Order> watch = orders.Subscribe("watch", new SubscriptionOptions { Ephemeral = true });
        orders.Subscribe("watch", new SubscriptionOptions { Ephemeral = false });
    }

    public static void No_attempts(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", Small);
        orders.Subscribe("billing", new SubscriptionOptions { MaxAttempts = 0 });
    }
}
