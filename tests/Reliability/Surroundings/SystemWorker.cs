using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>The process of one part, and of the peers that it starts.</summary>
internal static class SystemWorker
{
    public static readonly QueueOptions Small = new() { SegmentSize = 1 << 16, UseChecksums = true };

    /// <param name="arguments">A part's name and the seed; or what a peer is to do, and the queue.</param>
    public static int Run(string[] arguments)
    {
        Console.SetOut(new StreamWriter(Console.OpenStandardOutput()) { AutoFlush = true });
        if (SystemPeer.Run(arguments))
        {
            return 0;
        }
        // So that the name of the part is known, should this be the last line.
        Console.WriteLine(arguments[0]);
        string root = Directory.CreateTempSubdirectory("blitqueue-system-").FullName;
        // Other users are to come as far as the queue.
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(root, (UnixFileMode)0b111_101_101);
        }
        try
        {
            SystemPart.All.Single(part => part.Name == arguments[0]).Act(root);
            Console.WriteLine("parts\t1");
        }
        catch (Exception exception)
        {
            Console.WriteLine($"violation {arguments[0]}: {Text(exception)}");
        }
        Delete(root);
        return 0;
    }

    // Where a violation has left a mount, the directory stays; that ends with this process.
    private static void Delete(string root)
    {
        try
        {
            if (Directory.Exists(root))
            {
                Directory.Delete(root, recursive: true);
            }
        }
        catch (IOException exception)
        {
            Console.WriteLine($"{root} stays: {exception.Message}");
        }
    }

    public static void Require(bool condition, string what)
    {
        if (!condition)
        {
            throw new InvalidOperationException(what);
        }
    }

    /// <summary>Does something that may be refused, by an exception of the queue's own.</summary>
    /// <returns>The exception; null where there was none.</returns>
    public static QueueException? Try(Action act)
    {
        try
        {
            act();
            return null;
        }
        catch (QueueException exception)
        {
            return exception;
        }
        catch (AggregateException exception) when (exception.InnerException is QueueException inner)
        {
            return inner;
        }
    }

    public static void Fill(MappedQueue<Item> queue, long first, long count, int length)
    {
        for (long number = first; number < first + count; number++)
        {
            queue.Enqueue(new Item().Fill(number, length));
        }
    }

    /// <summary>Enqueues messages until one is refused because no segment can be made.</summary>
    /// <returns>How many there were before.</returns>
    public static int FillUntilRefused(MappedQueue<Item> queue, long first, int length)
    {
        for (int count = 0; count < 1000; count++)
        {
            if (Try(() => queue.Enqueue(new Item().Fill(first + count, length))) is { } said)
            {
                Require(said.Message.Contains(queue.Path, StringComparison.Ordinal), $"it is not said where: {said.Message}");
                return count;
            }
        }
        throw new InvalidOperationException("segments are made in a directory that is gone, or on a read-only file system");
    }

    /// <summary>Consumes messages, which must be whole and have these numbers.</summary>
    public static void Drain(MappedQueue<Item> queue, long first, long count)
    {
        Item? item = null;
        for (long number = first; number < first + count; number++)
        {
            Require(queue.TryDequeue(ref item), $"message {number} is not there");
            Require(item!.Number == number && item.IsWhole, $"message {item.Number} came, whole: {item.IsWhole}, instead of {number}");
        }
    }

    public static void DrainAll(MappedQueue<Item> queue, long first, long count)
    {
        Drain(queue, first, count);
        Item? item = null;
        Require(!queue.TryDequeue(ref item), $"message {item?.Number} came, and none was to come");
    }

    public static string Text(Exception exception)
        => string.Join(" | ", exception.ToString().ReplaceLineEndings("\n").Split('\n').Take(12));
}
