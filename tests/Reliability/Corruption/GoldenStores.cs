namespace BlitQueue.Reliability.Corruption;

/// <summary>Makes the stores that are damaged: of every form that bytes on the disk have.</summary>
internal static class GoldenStores
{
    private const long SegmentSize = 1 << 16;

    /// <param name="directory">For the stores while they are made.</param>
    public static Golden[] Make(string directory)
    {
        var random = new Random(20_241);
        Golden[] made =
        [
            Of(directory, "small", true, queue => Fill(queue, 0, 900, () => random.Next(0, 200))),
            Of(directory, "unchecked", false, queue => Fill(queue, 0, 900, () => random.Next(0, 200))),
            Of(directory, "properties", true, queue => FillWithProperties(queue, random)),
            Of(directory, "batches", true, queue => FillBatches(queue, random)),
            Of(directory, "split", true, queue => FillSplit(queue)),
            Of(directory, "leases", true, queue => FillLeased(queue, random)),
            Of(directory, "recycled", true, queue => FillRecycled(queue, random)),
            Of(directory, "empty", true, static _ => { }),
            Raw(directory, random),
            InStore(directory, random),
        ];
        foreach (Golden golden in made)
        {
            golden.Learn(directory);
        }
        return made;
    }

    private static QueueOptions Options(bool hasChecksum) => new() { SegmentSize = SegmentSize, UseChecksums = hasChecksum };

    private static Golden Of(string directory, string name, bool hasChecksum, Action<MappedQueue<Evidence>> fill)
    {
        string path = Path.Combine(directory, name);
        StoreFiles earlier;
        using (var queue = MappedQueue<Evidence>.Open(path, Options(hasChecksum)))
        {
            Subscribe(queue);
            queue.Enqueue(Evidence.Of(0, 50));
            earlier = StoreFiles.Read(path);
            fill(queue);
        }
        return new Golden<Evidence>(name, hasChecksum, "", Evidence.Of, Evidence.KeyOf) { Files = Take(path), Earlier = earlier };
    }

    private static Golden<RawMessage> Raw(string directory, Random random)
    {
        string path = Path.Combine(directory, "raw");
        StoreFiles earlier;
        using (var queue = MappedQueue<RawMessage>.Open(path, Options(hasChecksum: true)))
        {
            queue.Subscribe("leased").Dispose();
            queue.Subscribe("late").Dispose();
            queue.Enqueue(RawEvidence.Of(0, 50));
            earlier = StoreFiles.Read(path);
            for (int key = 1; key < 600; key++)
            {
                queue.Enqueue(RawEvidence.Of(key, random.Next(300)));
            }
        }
        return new Golden<RawMessage>("raw", true, "", RawEvidence.Of, RawEvidence.KeyOf) { Files = Take(path), Earlier = earlier };
    }

    private static Golden<Evidence> InStore(string directory, Random random)
    {
        string path = Path.Combine(directory, "store");
        StoreFiles earlier;
        using (var store = MappedStore.Open(path, Options(hasChecksum: true)))
        {
            MappedQueue<Evidence> orders = store.OpenQueue<Evidence>("orders"), bills = store.OpenQueue<Evidence>("bills");
            Subscribe(orders);
            orders.Enqueue(Evidence.Of(0, 50));
            earlier = StoreFiles.Read(path);
            Fill(orders, 0, 500, () => random.Next(300));
            Evidence? message = null;
            for (int i = 0; i < 20; i++)
            {
                using QueueTransaction transaction = store.Begin();
                transaction.TryReceive(orders, ref message);
                transaction.Enqueue(bills, Evidence.Of(i, 20));
                transaction.Enqueue(orders, Evidence.Of(501 + i, 20));
                transaction.Commit();
            }
        }
        return new Golden<Evidence>("store", true, "orders", Evidence.Of, Evidence.KeyOf) { Files = Take(path), Earlier = earlier };
    }

    private static StoreFiles Take(string path)
    {
        var files = StoreFiles.Read(path);
        Directory.Delete(path, recursive: true);
        return files;
    }

    private static void Subscribe(MappedQueue<Evidence> queue)
    {
        queue.Subscribe("leased").Dispose();
        queue.Subscribe("late").Dispose();
    }

    private static void Fill(MappedQueue<Evidence> queue, long after, int count, Func<int> length)
    {
        for (long key = after + 1; key <= after + count; key++)
        {
            queue.Enqueue(Evidence.Of(key, length()));
        }
        Consume(queue, count / 4);
    }

    private static void Consume(MappedQueue<Evidence> queue, int count)
    {
        Evidence? message = null;
        for (int i = 0; i < count; i++)
        {
            queue.TryDequeue(ref message);
        }
    }

    private static void FillWithProperties(MappedQueue<Evidence> queue, Random random)
    {
        for (long key = 1; key <= 400; key++)
        {
            var properties = new MessageProperties { Label = $"label {key}", CorrelationId = $"{key}" };
            properties.Headers["size"] = "any";
            queue.Enqueue(Evidence.Of(key, random.Next(200)), properties);
        }
    }

    private static void FillBatches(MappedQueue<Evidence> queue, Random random)
    {
        for (long key = 1; key < 700;)
        {
            int count = random.Next(1, 80);
            long first = key;
            queue.EnqueueBatch([.. Enumerable.Range(0, count).Select(i => Evidence.Of(first + i, random.Next(400)))]);
            key += count;
            queue.Enqueue(Evidence.Of(key++, 10));
        }
        Consume(queue, 100);
    }

    private static void FillSplit(MappedQueue<Evidence> queue)
    {
        for (long key = 1; key <= 6; key += 2)
        {
            queue.Enqueue(Evidence.Of(key, 100_000));
            queue.Enqueue(Evidence.Of(key + 1, 1000));
        }
        queue.EnqueueBatch([Evidence.Of(7, 100), Evidence.Of(8, 70_000), Evidence.Of(9, 100)]);
        queue.Enqueue(Evidence.Of(10, 100));
        Consume(queue, 1);
    }

    private static void FillLeased(MappedQueue<Evidence> queue, Random random)
    {
        Fill(queue, 0, 400, () => random.Next(200));
        Subscription<Evidence> subscription = queue.Subscribe("leased");
        for (int i = 0; i < 60; i++)
        {
            if (!subscription.TryReceive(out Lease<Evidence> lease))
            {
                continue;
            }
            switch (i % 4)
            {
                case 0:
                    lease.Commit();
                    break;
                case 1:
                    lease.Abandon();
                    break;
                case 2 when i < 20:
                    lease.DeadLetter("for the test");
                    break;
            }
        }
    }

    private static void FillRecycled(MappedQueue<Evidence> queue, Random random)
    {
        queue.DeleteSubscription("late");
        queue.DeleteSubscription("leased");
        Evidence? message = null;
        for (long key = 1; key <= 4000; key++)
        {
            queue.Enqueue(Evidence.Of(key, random.Next(300)));
            if (key < 3500)
            {
                queue.TryDequeue(ref message);
            }
        }
        queue.Subscribe("leased").Dispose();
        queue.Subscribe("late").Dispose();
    }
}
