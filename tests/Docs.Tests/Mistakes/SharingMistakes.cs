namespace BlitQueue.Docs.Mistakes;

/// <summary>What goes wrong with shared objects, calls, and a directory that somebody deletes.</summary>
internal static class SharingMistakes
{
    public static void Another_length_of_a_shared_array(string root)
    {
        using var prices = SharedArray<double>.OpenFile(root + "/prices", 4);
        SharedArray<double>.OpenFile(root + "/prices", 5);
    }

    public static void Another_type_of_a_shared_value(string root)
    {
        using var price = SharedValue<double>.OpenFile(root + "/price");
        SharedValue<long>.OpenFile(root + "/price");
    }

    public static void A_shared_array_that_nobody_made(string root) => SharedArray<double>.OpenFile(root + "/prices");

    public static void A_shared_object_that_is_of_another_kind(string root)
    {
        using var mutex = SharedMutex.OpenFile(root + "/lock");
        SharedValue<long>.OpenFile(root + "/lock");
    }

    public static void A_mutex_that_another_thread_has(string root)
    {
        using var mutex = SharedMutex.OpenFile(root + "/lock");
        using SharedLockScope taken = mutex.Acquire();
        Exception? failure = null;
        var other = new Thread(() =>
        {
            try
            {
                mutex.Acquire(TimeSpan.FromMilliseconds(10)).Dispose();
            }
            catch (SharedLockTimeoutException thrown)
            {
                failure = thrown;
            }
        });
        other.Start();
        other.Join();
        throw failure!;
    }

    public static void A_call_without_a_server(string root)
    {
        using var client = RpcClient<Order, Bill>.OpenFile(root + "/billing");
        client.Call(new Order(), TimeSpan.FromMilliseconds(50));
    }

    public static void A_call_of_another_type(string root)
    {
        using var server = RpcServer<Order, Bill>.OpenFile(root + "/billing");
        RpcClient<Order, Order>.OpenFile(root + "/billing");
    }

    public static void A_call_whose_handler_throws(string root)
    {
        using var server = RpcServer<Order, Bill>.OpenFile(root + "/billing");
        using var client = RpcClient<Order, Bill>.OpenFile(root + "/billing");
        using var ending = new CancellationTokenSource();
        var serving = new Thread(() =>
        {
            try
            {
                server.Serve(static (Order order) => throw new InvalidDataException($"no customer in order {order.Id}"), ending.Token);
            }
            catch (OperationCanceledException)
            {
            }
        });
        serving.Start();
        try
        {
            client.Call(new Order { Id = 7 });
        }
        finally
        {
            ending.Cancel();
            serving.Join();
        }
    }

    public static void No_time_for_a_call(string root) =>
        RpcClient<Order, Bill>.OpenFile(root + "/billing", new RpcClientOptions { Timeout = TimeSpan.Zero });

    public static void Waiting_in_a_directory_that_was_deleted(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", new QueueOptions { SegmentSize = 1 << 16 });
        Directory.Delete(root + "/orders", recursive: true);
        orders.Dequeue();
    }
}
