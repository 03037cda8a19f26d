using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>A stranger truncates a file that processes have mapped. docs/SECURITY.md says what becomes of them.</summary>
internal static class Truncation
{
    private const int Abort = 134, BusError = 135, Segmentation = 139;

    public static void Run(string root, string name, long length)
    {
        string path = Path.Combine(root, "queue"), neighbour = Path.Combine(root, "neighbour"), file = Path.Combine(path, name);
        using var beside = MappedQueue<Item>.Open(neighbour, SystemWorker.Small);
        using (var queue = MappedQueue<Item>.Open(path, SystemWorker.Small))
        {
            SystemWorker.Fill(queue, 0, 30, 6000);
        }
        var victim = new SystemPeer([], "use", path);
        victim.Next();
        // Segments of which the second one is not harmed.
        SystemWorker.Require(victim.Tell("dequeue") == "got 0 True" && victim.Next() == "ok", "the queue does not work");
        using (FileStream opened = File.OpenWrite(file))
        {
            opened.SetLength(length);
        }
        string? said = "ok";
        for (int i = 0; i < 40 && said is "ok"; i++)
        {
            said = victim.Tell("dequeue");
            if (said is "got nothing")
            {
                break;
            }
            SystemWorker.Require(said?.EndsWith("False", StringComparison.Ordinal) != true, $"a torn message came: {said}");
            said = said?.StartsWith("got", StringComparison.Ordinal) == true ? victim.Next() : said;
        }
        victim.Close();
        int code = victim.WaitForExit();
        SystemWorker.Require(code is 0 or 1 or Abort or BusError or Segmentation, $"who touches it ends with {code}: {said}");
        Console.WriteLine(
            code is Abort or BusError or Segmentation
                ? "processes that the system killed for touching what is gone\t1"
                : "processes that went on with a truncated file\t1");

        // Nobody who opens it afterwards dies, and nobody beside is harmed.
        QueueException? refusal = SystemWorker.Try(() => MappedQueue<Item>.Open(path, SystemWorker.Small).Dispose());
        if (refusal is null)
        {
            using var damaged = MappedQueue<Item>.Open(path, SystemWorker.Small);
            refusal = SystemWorker.Try(() => SystemWorker.Drain(damaged, 1, 29));
        }
        SystemWorker.Require((refusal as QueueCorruptException)?.Path == file, $"who opens the queue afterwards is told: {refusal}");
        MappedQueue.Repair(path);
        using var repaired = MappedQueue<Item>.Open(path, SystemWorker.Small);
        var numbers = new List<long>();
        for (Item? item = null; repaired.TryDequeue(ref item);)
        {
            SystemWorker.Require(item!.IsWhole, $"message {item.Number} is torn");
            numbers.Add(item.Number);
        }
        // The first segment holds ten messages; what was consumed may come again.
        SystemWorker.Require(
            Enumerable.Range(11, 19).All(number => numbers.Contains(number)), $"a repair gives only {string.Join(", ", numbers)}");
        SystemWorker.Fill(repaired, 100, 20, 6000);
        SystemWorker.DrainAll(repaired, 100, 20);
        SystemWorker.Fill(beside, 0, 30, 6000);
        SystemWorker.DrainAll(beside, 0, 30);
    }
}
