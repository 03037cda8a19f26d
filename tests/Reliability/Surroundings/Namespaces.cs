using System.Globalization;
using BlitQueue.Reliability.Power;

namespace BlitQueue.Reliability.Surroundings;

/// <summary>Two processes that have the same number, as in two containers, and a third that sees both.</summary>
internal static class Namespaces
{
    private static readonly string[] Alone = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child=SIGKILL", "--"];

    public static void Run(string root)
    {
        string path = Path.Combine(root, "queue");
        // The first process of a namespace takes no signal from itself: it is held where it stops, and killed from outside.
        using var victim = new SystemPeer(Alone, "hold", path);
        using var other = new SystemPeer(Alone, "use", path);
        SystemWorker.Require(victim.Next() == "open 1" && other.Next() == "open 1", "the processes are not number 1");
        SystemWorker.Require(victim.Next() == "holds", "the first process does not hold the append lock");
        // Alive, whatever its number is.
        string? said = other.Tell("try 1");
        SystemWorker.Require(
            said?.StartsWith("QueueStalledException", StringComparison.Ordinal) == true,
            $"the append lock of a process that lives is not respected: {said}");
        victim.Kill();
        victim.WaitForExit();
        said = other.Tell("enqueue 2");
        SystemWorker.Require(said == "ok", $"after the death of the other: {said}");
        SystemWorker.Require(long.Parse(other.Tell("repairs")!, CultureInfo.InvariantCulture) == 1, "nothing was repaired");
        using var queue = MappedQueue<Item>.Open(path, SystemWorker.Small);
        SystemWorker.DrainAll(queue, 2, 1);
    }
}
