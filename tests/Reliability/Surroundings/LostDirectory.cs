using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>The directory of a running queue gets another name, is deleted, or is deleted and made anew by others.</summary>
internal static class LostDirectory
{
    private const int Large = 6000, Count = 60, Attempts = 200;

    private static readonly TimeSpan Back = TimeSpan.FromSeconds(30);

    public static void Renamed(string root)
    {
        string path = Path.Combine(root, "queue"), elsewhere = Path.Combine(root, "elsewhere");
        long count = 3;
        using (var queue = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(queue, 0, count, Large);
            Directory.Move(path, elsewhere);
            count += SystemWorker.FillUntilRefused(queue, count, Large);
            SystemWorker.Require(!Directory.Exists(path), "the directory was made anew");
            SystemWorker.Drain(queue, 0, 2);
            Directory.Move(elsewhere, path);
            // If it was away for long, the handle's watch has noticed that, and notices soon that it is back.
            SystemWorker.Require(
                SpinWait.SpinUntil(() => SystemWorker.Try(() => queue.Enqueue(new Item().Fill(count, Large))) is null, Back),
                "the directory is back, and messages are refused");
            SystemWorker.Fill(queue, count + 1, Count - 1, Large);
            SystemWorker.DrainAll(queue, 2, count + Count - 2);
        }
        using var again = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.DrainAll(again, 0, 0);
    }

    public static void Deleted(string root)
    {
        string path = Path.Combine(root, "queue");
        using (var queue = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(queue, 0, 3, Large);
            Delete(path);
            long count = 3 + SystemWorker.FillUntilRefused(queue, 3, Large);
            SystemWorker.Drain(queue, 0, count);
            SystemWorker.Try(() => queue.Subscribe("other").Dispose());
            SystemWorker.Try(() => queue.GetStatus());
        }
        using var anew = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.Fill(anew, 0, Count, Large);
        SystemWorker.DrainAll(anew, 0, Count);
    }

    // What still runs on the deleted queue must do no harm to the one of its name.
    public static void Replaced(string root)
    {
        string path = Path.Combine(root, "queue");
        var old = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.Fill(old, 0, 25, Large);
        SystemWorker.Drain(old, 0, 15);
        Delete(path);
        using (var anew = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(anew, 1000, Count, Large);
            long count = 25 + SystemWorker.FillUntilRefused(old, 25, Large);
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
        using var again = MappedQueue<Item>.Open(path, SystemWorker.Small);
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
}
