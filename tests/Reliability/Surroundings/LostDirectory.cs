using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>The directory of a running queue gets another name, is deleted, or is deleted and made anew by others.</summary>
internal static class LostDirectory
{
    private const int Large = 6000, Count = 60, Attempts = 200;

    public static void Renamed(string place)
    {
        string path = Path.Combine(place, "queue"), elsewhere = Path.Combine(place, "elsewhere");
        long count = 3;
        using (MappedQueue<Item> queue = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(queue, 0, count, Large);
            Directory.Move(path, elsewhere);
            count += FillUntilRefused(queue, count);
            SystemWorker.Require(!Directory.Exists(path), "the directory was made anew");
            SystemWorker.Drain(queue, 0, 2);
            Directory.Move(elsewhere, path);
            SystemWorker.Fill(queue, count, Count, Large);
            SystemWorker.DrainAll(queue, 2, count + Count - 2);
        }
        using MappedQueue<Item> again = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.DrainAll(again, 0, 0);
    }

    public static void Deleted(string place)
    {
        string path = Path.Combine(place, "queue");
        using (MappedQueue<Item> queue = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(queue, 0, 3, Large);
            Delete(path);
            long count = 3 + FillUntilRefused(queue, 3);
            SystemWorker.Drain(queue, 0, count);
            SystemWorker.Try(() => queue.Subscribe("other").Dispose());
            SystemWorker.Try(() => queue.GetStatus());
        }
        using MappedQueue<Item> anew = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.Fill(anew, 0, Count, Large);
        SystemWorker.DrainAll(anew, 0, Count);
    }

    // What still runs on the deleted queue must do no harm to the one of its name.
    public static void Replaced(string place)
    {
        string path = Path.Combine(place, "queue");
        MappedQueue<Item> old = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.Fill(old, 0, 25, Large);
        SystemWorker.Drain(old, 0, 15);
        Delete(path);
        using (MappedQueue<Item> anew = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(anew, 1000, Count, Large);
            long count = 25 + FillUntilRefused(old, 25);
            Item? item = null;
            QueueException? said = null;
            while (said is null && count > 0)
            {
                said = SystemWorker.Try(() => count = old.TryDequeue(ref item) ? count : 0);
                SystemWorker.Require(item!.Number < 1000, $"the deleted queue delivers message {item.Number} of the other");
            }
            SystemWorker.Try(() => old.DeleteSubscription("default"));
            SystemWorker.Try(() => old.Subscribe("other").Dispose());
            SystemWorker.Try(old.Purge);
            old.Dispose();
            SystemWorker.Fill(anew, 1000 + Count, Count, Large);
            SystemWorker.DrainAll(anew, 1000, 2 * Count);
        }
        using MappedQueue<Item> again = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.DrainAll(again, 0, 0);
    }

    // Again where a background thread has made a segment in it meanwhile.
    private static void Delete(string path)
    {
        for (int attempt = 1; Directory.Exists(path); attempt++)
        {
            try
            {
                Directory.Delete(path, recursive: true);
            }
            catch (IOException) when (attempt < Attempts)
            {
                Thread.Sleep(5);
            }
        }
    }

    private static long FillUntilRefused(MappedQueue<Item> queue, long first)
    {
        for (long count = 0; count < 1000; count++)
        {
            if (SystemWorker.Try(() => queue.Enqueue(new Item().Fill(first + count, Large))) is { } said)
            {
                SystemWorker.Require(said.Message.Contains(queue.Path, StringComparison.Ordinal), $"it is not said where: {said.Message}");
                return count;
            }
        }
        throw new InvalidOperationException("segments are made in a directory that is gone");
    }
}
