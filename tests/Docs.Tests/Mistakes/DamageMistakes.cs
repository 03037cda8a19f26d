namespace BlitQueue.Docs.Mistakes;

/// <summary>What a user reads whose files were damaged.</summary>
internal static class DamageMistakes
{
    public static void A_damaged_message(string root)
    {
        Make(root);
        string segment = Segment(root);
        byte[] bytes = File.ReadAllBytes(segment);
        int text = bytes.AsSpan().IndexOf("customer 1"u8);
        bytes[text] ^= 0xFF;
        File.WriteAllBytes(segment, bytes);
        Read(root);
    }

    public static void A_truncated_segment(string root)
    {
        Make(root);
        Truncate(Segment(root), 2000);
        Read(root);
    }

    public static void A_missing_segment(string root)
    {
        // Into the second segment, so that the first one ends where it always does.
        Make(root, count: 2000);
        File.Delete(Segment(root));
        Read(root);
    }

    public static void A_truncated_subscription(string root)
    {
        Make(root);
        Truncate(root + "/orders/subscription-default", 100);
        Read(root);
    }

    public static void A_missing_subscription(string root)
    {
        Make(root);
        File.Delete(root + "/orders/subscription-default");
        Read(root);
    }

    public static void A_damaged_description(string root)
    {
        Make(root);
        File.WriteAllText(root + "/orders/queue.meta", "something else\n");
        Read(root);
    }

    public static void A_missing_description(string root)
    {
        Make(root);
        File.Delete(root + "/orders/queue.meta");
        Read(root);
    }

    public static void A_queue_of_a_later_version(string root)
    {
        Make(root);
        string[] lines = File.ReadAllLines(root + "/orders/queue.meta");
        File.WriteAllLines(root + "/orders/queue.meta", [lines[0].Replace("1", "2", StringComparison.Ordinal), .. lines[1..]]);
        Read(root);
    }

    public static void A_truncated_control_file(string root)
    {
        Make(root);
        Truncate(root + "/orders/queue.control", 100);
        Read(root);
    }

    public static void A_link_in_place_of_a_segment(string root)
    {
        Make(root);
        string segment = Segment(root);
        File.Move(segment, root + "/elsewhere");
        File.CreateSymbolicLink(segment, root + "/elsewhere");
        Read(root);
    }

    private static void Make(string root, int count = 200)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders", new QueueOptions { SegmentSize = 1 << 16 });
        for (int id = 1; id <= count; id++)
        {
            orders.Enqueue(new Order { Id = id, Customer = $"customer {id}" });
        }
    }

    private static void Read(string root)
    {
        using var orders = MappedQueue<Order>.Open(root + "/orders");
        while (orders.TryDequeue(out _))
        {
        }
    }

    private static string Segment(string root) => Directory.EnumerateFiles(root + "/orders", "segment-*").Order().First();

    private static void Truncate(string path, long length)
    {
        using FileStream file = File.OpenWrite(path);
        file.SetLength(length);
    }
}
